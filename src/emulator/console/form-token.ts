import { randomBytes, timingSafeEqual } from "node:crypto";

/** What a form has to carry to be taken: another site can send a form here, but cannot know this. */
export interface FormToken {
  readonly text: string;
  isRight(given: string | null): boolean;
}

/** The name of the hidden field. */
export const formTokenField = "form_token";

/** One for as long as the emulator runs. */
export function createFormToken(): FormToken {
  const text = randomBytes(32).toString("base64url");
  const expected = Buffer.from(text);
  return {
    text,
    isRight: (given) => {
      const bytes = Buffer.from(given ?? "");
      return bytes.length === expected.length && timingSafeEqual(bytes, expected);
    },
  };
}
