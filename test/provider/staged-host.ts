import type { EmulatorOptions } from "../../src/emulator/index.ts";
import { stage } from "../resources/stage.ts";
import { type HostOptions, startHost } from "./provider-host.ts";

/** What the engine sends in place of a value that it does not know yet; of an object, of a list, of any type. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
export const unknownList = "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2";
export const unknownObject = "dd056dcd-154b-4c76-9bd3-c8f88648b5ff";

/** An emulator, and a host whose process has its address and key in the environment; configured, as the engine does. */
export async function stagedHost(of: Pick<HostOptions, "member" | "stack"> = {}, options: EmulatorOptions = {}) {
  await using open = new AsyncDisposableStack();
  const on = open.use(await stage(options));
  const environment = {
    INTEGRATION_PLATFORM_BASE_URL: on.emulator.url,
    INTEGRATION_PLATFORM_API_KEY: on.emulator.apiKey,
  };
  const host = open.use(await startHost({ environment, ...of }));
  await host.configure();
  const held = open.move();
  return {
    on,
    host,
    /** Another process, as each operation of the engine has its own. `more` is added to its environment. */
    nextHost: async (more: Readonly<Record<string, string>> = {}) => {
      const next = await startHost({
        environment: { ...environment, ...more },
        ...of,
      });
      await next.configure();
      return next;
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
