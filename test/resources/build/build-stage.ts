import { buildLifecycle } from "../../../src/resources/build/lifecycle.ts";
import type { BuildInputs } from "../../../src/resources/build/schema.ts";
import { call } from "../../emulator/running-emulator.ts";
import { requestsOf } from "../passing-time.ts";
import type { Stage } from "../stage.ts";

export const inputs: BuildInputs = { integrationId: 101, tag: "v1.2.0" };

/** The lifecycle of a new operation of the engine. */
export function operation(on: Stage) {
  return buildLifecycle(on.operation().context);
}

/** The bodies of the build requests so far. */
export function asked(on: Stage): unknown[] {
  return requestsOf(on, "POST", /^\/v2\/sourcecontrol\/build$/).map(({ body }) => body);
}

/** The ids of the first integration's releases that have a tag. */
export async function releaseIds(on: Stage, tag: string): Promise<number[]> {
  const { body } = await call(on.emulator, "GET", "/v2/integrations/101/releases");
  return (Array.isArray(body) ? body : []).filter((release) => release.tag === tag).map(({ id }) => id);
}

/** Adds a release directly on the platform, as another build would. */
export async function addRelease(on: Stage, release: object): Promise<void> {
  const { status } = await call(on.emulator, "POST", "/_emulator/integrations/101/releases", release);
  if (status !== 200) throw new Error(`the emulator answered ${status}`);
}
