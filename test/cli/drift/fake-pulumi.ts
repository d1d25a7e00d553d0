import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type CliOutcome, runCli } from "../run-cli.ts";

/** A folder with a script in place of `pulumi`. */
export interface FakePulumi extends AsyncDisposable {
  folder: string;
  /**
   * Runs `integration-platform drift`, for whose preview the script prints these events and ends with the code.
   *
   * @param options.times what the providers of the preview record of the platform's time. Default: nothing.
   */
  drift(
    events: readonly object[],
    options?: { code?: number; args?: readonly string[]; times?: readonly object[] },
  ): Promise<CliOutcome>;
  /** The arguments of the previews since the last call. */
  previews(): Promise<string[]>;
}

export async function fakePulumi(): Promise<FakePulumi> {
  const folder = await mkdtemp(join(tmpdir(), "drift-command-"));
  let runs = 0;
  return {
    folder,
    drift: async (events, { code = 0, args = [], times = [] } = {}) => {
      runs += 1;
      const own = join(folder, `bin-${runs}`); // several runs may be under way at once
      const config = JSON.stringify({ "integration-platform:baseUrl": { value: "https://platform.example.com/" } });
      await mkdir(own);
      await writeFile(join(own, "events"), events.map((event) => `${JSON.stringify(event)}\n`).join(""));
      const record = times
        .map((time) => `echo '${JSON.stringify(time)}' >> "$INTEGRATION_PLATFORM_TIME_FILE"\n`)
        .join("");
      const script = `echo "$@" >> "${folder}/previews"\n${record}cat "${own}/events"\nexit ${code}\n`;
      const pulumi = join(own, "pulumi");
      await writeFile(pulumi, `#!/bin/sh\nif [ "$1" = config ]; then echo '${config}'; exit; fi\n${script}`);
      await chmod(pulumi, 0o755);
      return runCli(undefined, ["drift", ...args], { PATH: [own, process.env.PATH].join(delimiter) }, folder);
    },
    previews: async () => {
      const file = join(folder, "previews");
      const text = await readFile(file, "utf8").catch(() => "");
      await rm(file, { force: true });
      return text.split("\n").filter((line) => line !== "");
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/** What takes the place of a secret in the events. */
export const secret = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: "[secret]",
};
/** The event of the stack's own resource, which names the stack. */
export const stack = stackNamed("test");

export function stackNamed(name: string): object {
  const urn = `urn:pulumi:${name}::project::pulumi:pulumi:Stack::project-${name}`;
  return { resourcePreEvent: { metadata: { op: "same", urn, type: "pulumi:pulumi:Stack" } } };
}

/** The last event of a preview. */
export const end = { summaryEvent: {} };

/**
 * The events of one resource: what the refresh found, and what the program declares.
 *
 * @param refreshed the paths at which the refresh found changes.
 */
export function tenant(
  op: string,
  actual: object,
  declared: object | undefined,
  {
    type = "Tenant",
    prefix = "pulumi-nodejs:dynamic/integration-platform",
    detailedDiff = {},
    refreshed = {},
    retainOnDelete = false,
    name = "acme",
  }: {
    type?: string;
    prefix?: string;
    detailedDiff?: object;
    refreshed?: object;
    retainOnDelete?: boolean;
    name?: string;
  } = {},
): object[] {
  const token = `${prefix}:${type}`;
  const resource = { urn: `urn:pulumi:test::project::${token}::${name}`, type: token };
  const state = (inputs: object | undefined) =>
    inputs === undefined ? null : { inputs, outputs: inputs, retainOnDelete };
  const refresh = { ...resource, op: "refresh", old: state(actual), new: state(actual) };
  return [
    { resourcePreEvent: { metadata: refresh } },
    { resOutputsEvent: { metadata: { ...refresh, detailedDiff: refreshed } } },
    { resourcePreEvent: { metadata: { ...resource, op, old: state(actual), new: state(declared), detailedDiff } } },
  ];
}
