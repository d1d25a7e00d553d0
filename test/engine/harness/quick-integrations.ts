import { builtInSeed, readSeed } from "../../../src/emulator/seed/seed.ts";

/** The built-in integrations, whose runs take no time, and the scripts of the first one's builds. */
export function quickIntegrations(builds: object[] = []) {
  const { integrations } = readSeed(builtInSeed);
  const quick = integrations.map((integration) => ({ ...integration, runs: { takes_seconds: 0 } }));
  const [first, ...others] = quick;
  return first === undefined ? [] : [{ ...first, builds }, ...others];
}
