import { setTimeout as sleep } from "node:timers/promises";
import type { Disturb } from "./disturbance.ts";

/** The key is revoked in the middle. Whoever repairs is given another, which stands in no file. */
export const key: Disturb = async ({ platform, random, usualSeconds, secrets }) => {
  const after = usualSeconds * (0.1 + 0.8 * random.next());
  let isRevoked = false;
  const renewed = await platform.makeKey();
  secrets.set(`renewed key ${secrets.size}`, renewed);
  return {
    kills: false,
    repairEnv: { INTEGRATION_PLATFORM_API_KEY: renewed },
    during: async (command) => {
      await sleep(after * 1000);
      if (command.isOver()) return;
      isRevoked = true;
      await platform.revokeKeys(renewed);
    },
    end: async () => ({ "key revoked": Number(isRevoked) }),
  };
};
