import type { Platform } from "../platform.ts";
import type { FormToken } from "./form-token.ts";
import type { Notice, Notices } from "./notices.ts";

/** What the whole console is made with. */
export interface Site {
  readonly platform: Platform;
  readonly formToken: FormToken;
  readonly notices: Notices;
}

/** What a page is made with: the site, and what came before it. */
export interface View extends Site {
  /** What was done just now, to be told once. */
  readonly notice?: Notice | undefined;
  /** The form that was sent just now and refused. */
  readonly attempt?: Attempt | undefined;
}

/** A form that was refused: shown again as it was filled in, with what is wrong. */
export interface Attempt {
  readonly form: string;
  readonly fields: URLSearchParams;
  readonly problems: readonly string[];
}
