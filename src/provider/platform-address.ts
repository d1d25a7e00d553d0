import { createHash } from "node:crypto";
import { ConfigurationError, normalizedAddress } from "../api/index.ts";

/** The property of a stored state that tells which platform a resource was made on. */
const platformKey = "platform";
const movedFromKey = "INTEGRATION_PLATFORM_MOVED_FROM";

/** The platform's address, as the states remember it. */
export interface PlatformAddress {
  /** What a state stores: 8 characters, a digest of the address. */
  digest: string;
  /** Whether the state is of the address that the user names as the former one of this same platform. */
  isMoved(state: object): boolean;
  /**
   * Throws where the state's resource was made on another platform, and for each resource after the first such one. A
   * state that does not say, and a resource that has none yet, are accepted.
   */
  require(resource: string, state?: object): void;
}

/**
 * @param baseUrl as the client has it.
 * @param source where the address comes from, for messages.
 * @throws ConfigurationError where `INTEGRATION_PLATFORM_MOVED_FROM` is not a URL.
 */
export function platformAddress(
  { baseUrl, source }: { baseUrl: string; source: string },
  environment: NodeJS.ProcessEnv = process.env,
): PlatformAddress {
  const movedFrom = environment[movedFromKey] ?? "";
  if (movedFrom !== "" && !URL.canParse(movedFrom)) {
    throw new ConfigurationError(`${movedFromKey}: not a URL. Give one like https://platform.example.com.`);
  }
  const former = movedFrom && normalizedAddress(movedFrom);
  const digest = digestOf(baseUrl);
  const formerDigest = former && digestOf(former);
  const isMoved = (state: object) => {
    const stored = storedDigest(state);
    return stored !== undefined && stored !== digest && stored === formerDigest;
  };
  /** The first resource that was made on another platform. */
  let foreign: string | undefined;
  return {
    digest,
    isMoved,
    require: (resource, state = {}) => {
      const stored = storedDigest(state);
      const isForeign = stored !== undefined && stored !== digest && !isMoved(state);
      if (isForeign) foreign ??= resource;
      if (foreign === undefined) return;
      const neither = former && `, and not on ${former} (${movedFromKey}) either`;
      throw new Error(
        `${isForeign ? resource : foreign} was made on another platform than ${baseUrl} (from ${source})${neither}. ` +
          `Nothing was changed${isForeign ? "" : ` of ${resource}`}. Correct the address, then run the command again. ` +
          `If the same platform now has this address, run up once with ${movedFromKey}=<its old address>`,
      );
    },
  };
}

/** The properties, as the engine is to store them. */
export function withPlatform<State extends object>(state: State, { digest }: PlatformAddress) {
  return { ...state, [platformKey]: digest };
}

/** Base64url of a SHA-256, cut: 48 bits tell a handful of addresses apart, and do not tell the address. */
function digestOf(address: string): string {
  return createHash("sha256").update(address).digest("base64url").slice(0, 8);
}

function storedDigest(state: object): unknown {
  return Object.hasOwn(state, platformKey) ? Object(state)[platformKey] : undefined;
}
