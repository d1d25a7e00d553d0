import type { Disturb } from "./disturbance.ts";
import { randomMoment } from "./random-moment.ts";

/** The key is revoked in the middle. Whoever repairs is given another, which stands in no file. */
export const key: Disturb = async (stage) => {
  const { platform, secrets } = stage;
  let isRevoked = false;
  const renewed = await platform.makeKey();
  secrets.set(`renewed key ${secrets.size}`, renewed);
  return {
    kills: false,
    repairEnv: { INTEGRATION_PLATFORM_API_KEY: renewed },
    during: async (command) => {
      if (!(await randomMoment(stage, command))) return;
      isRevoked = true;
      await platform.revokeKeys(renewed);
    },
    end: async () => ({ "key revoked": Number(isRevoked) }),
  };
};
