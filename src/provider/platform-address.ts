import { createHash } from "node:crypto";
import { normalizeBaseUrl } from "../api/base-url.ts";
import { ConfigurationError } from "../api/errors.ts"; // without the client, which the plugin loads later

/** The property of a state that identifies the platform of the resource. */
export const platformKey = "platform";
/** The environment variable with the former address of the platform, for the `up` after a move. */
export const movedFromKey = "INTEGRATION_PLATFORM_MOVED_FROM";

/** The platform's address, for comparison with the one in a state. */
export interface PlatformAddress {
  /** The digest of the address in states, 8 characters. */
  digest: string;
  /** Whether the state has the address that the user configured as the former address of this platform. */
  isMoved(state: object): boolean;
  /**
   * Throws if the state's resource was created on another platform, and for each resource after the first such one. A state
   * without an address and a resource without a state are accepted.
   */
  require(resource: string, state?: object): void;
}

/**
 * Creates the {@link PlatformAddress} of a base URL.
 *
 * @param baseUrl the normalized base URL of the client.
 * @param source the origin of the address, for messages.
 * @throws ConfigurationError if `INTEGRATION_PLATFORM_MOVED_FROM` is not a URL.
 */
export function platformAddress(
  { baseUrl, source }: { baseUrl: string; source: string },
  environment: NodeJS.ProcessEnv = process.env,
): PlatformAddress {
  const movedFrom = environment[movedFromKey] ?? "";
  if (movedFrom !== "" && !URL.canParse(movedFrom)) {
    throw new ConfigurationError(`${movedFromKey}: not a URL. Set one like https://platform.example.com.`);
  }
  const former = movedFrom && normalizeBaseUrl(movedFrom);
  const digest = digestOf(baseUrl);
  const formerDigest = former && digestOf(former);
  const isMoved = (state: object) => {
    const stored = storedDigest(state);
    return stored !== undefined && stored !== digest && stored === formerDigest;
  };
  /** The first resource that was created on another platform. */
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

/** The state with the platform's address, for the engine to store. */
export function withPlatform<State extends object>(state: State, { digest }: PlatformAddress) {
  return { ...state, [platformKey]: digest };
}

/** The first 48 bits of a SHA-256 as base64url. They distinguish a few addresses without revealing them. */
function digestOf(address: string): string {
  return createHash("sha256").update(address).digest("base64url").slice(0, 8);
}

function storedDigest(state: object): unknown {
  return Object.hasOwn(state, platformKey) ? Object(state)[platformKey] : undefined;
}
