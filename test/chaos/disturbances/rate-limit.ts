import { strikesOf } from "./answers.ts";
import type { Disturb } from "./disturbance.ts";

/** The platform answers ten requests a second, and refuses the others. */
export const rateLimit: Disturb = async ({ platform }) => {
  await platform.fault({ kind: "rate-limit", perSecond: 10 });
  return {
    kills: false,
    violations: ({ code, printed }, { fails }) =>
      code === 0 || fails ? [] : [`failed at ten requests a second: ${printed.slice(-1200)}`],
    end: async () => {
      await platform.clearFaults();
      return strikesOf(await platform.requests());
    },
  };
};
