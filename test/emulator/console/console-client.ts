import type { Emulator } from "../../../src/emulator/index.ts";

/** A page of the console, read without a browser. */
export interface Page {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
}

/** A page, without a socket. */
export async function open(emulator: Emulator, path: string, headers: Record<string, string> = {}): Promise<Page> {
  return read(await emulator.fetch(new Request(`http://localhost${path}`, { headers })));
}

/** Sends a form as a browser would, with the token of the page that it stands on, and follows where it leads. */
export async function send(
  emulator: Emulator,
  action: string,
  fields: Record<string, string> = {},
  from = "/console/settings/api-access",
): Promise<Page> {
  const token = tokenOf((await open(emulator, from)).html);
  const answer = await post(emulator, action, { form_token: token, ...fields });
  if (answer.status !== 303) return answer;
  return open(emulator, answer.headers.get("location") ?? "");
}

/** Sends a form as it is told to, and follows nothing. */
export async function post(
  emulator: Emulator,
  action: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Page> {
  const request = new Request(`http://localhost${action}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(fields).toString(),
  });
  return read(await emulator.fetch(request));
}

/** The token in the forms of a page. */
export function tokenOf(html: string): string {
  const [, token] = /name="form_token" value="([\w-]+)"/.exec(html) ?? [];
  if (!token) throw new Error("the page has no form");
  return token;
}

async function read(response: Response): Promise<Page> {
  return { status: response.status, html: await response.text(), headers: response.headers };
}
