import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClaimsOptions, openClaims } from "../../src/operation/open-claims.ts";

const engineAddress = "127.0.0.1:34567";

/** A folder for shared claims, and what opens the claims of one more process there. */
export function claimsFolder() {
  const parent = mkdtempSync(join(tmpdir(), "claims-test-"));
  const folder = join(parent, "claims");
  const opened: Disposable[] = [];
  const warnings: string[] = [];
  return {
    parent,
    folder,
    file: join(folder, "127.0.0.1_34567.claims"),
    warnings,
    open: (options: Partial<ClaimsOptions> = {}) => {
      const warn = (message: string) => warnings.push(message);
      const claims = openClaims({ engineAddress, provider: "dynamic", platform: "a", warn, folder, ...options });
      opened.push(claims);
      return claims;
    },
    [Symbol.dispose]: () => {
      for (const claims of opened) claims[Symbol.dispose]();
      rmSync(parent, { recursive: true });
    },
  };
}
