import type { Emulator } from "../../../src/emulator/index.ts";

/** A response of the console, read without a browser. */
export interface Page {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
}

/** The fields of a form; pairs where one has several values. */
export type Fields = Record<string, string> | [string, string][];

/** Opens a page, without a network connection. */
export async function open(emulator: Emulator, path: string, headers: Record<string, string> = {}): Promise<Page> {
  return read(await emulator.fetch(new Request(`${site}${path}`, { headers })));
}

/** Submits a form as a browser does from a page of the console, and follows the redirect. */
export async function send(emulator: Emulator, action: string, fields: Fields = {}): Promise<Page> {
  const response = await post(emulator, action, fields, fromOwnPage);
  if (response.status !== 303) return response;
  return open(emulator, response.headers.get("location") ?? "");
}

/** Submits a form with exactly these headers, and does not follow a redirect. */
export async function post(
  emulator: Emulator,
  action: string,
  fields: Fields,
  headers: Record<string, string>,
): Promise<Page> {
  const request = new Request(`${site}${action}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(fields).toString(),
  });
  return read(await emulator.fetch(request));
}

const site = "http://localhost";

/** The headers that a browser sends with a form of the console itself. */
export const fromOwnPage = { origin: site, "sec-fetch-site": "same-origin" };

async function read(response: Response): Promise<Page> {
  return { status: response.status, html: await response.text(), headers: response.headers };
}
