import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { decodeUtf8 } from "../../json/utf8.ts";
import { type ParsedSeed, type Seed, seedSchema } from "../entities/seed.ts";
import { addIntegration, addRelease } from "../operations/administer-integrations.ts";
import { addTenant } from "../operations/administer-tenants.ts";
import { changeSettings } from "../operations/change-settings.ts";
import type { Platform } from "../platform.ts";

/** The path of the default seed. */
export const builtInSeed = fileURLToPath(new URL("../seed.yaml", import.meta.url));

/**
 * Reads and checks a seed: an object, or the path of a YAML file.
 *
 * @throws Error with every problem and its place in the seed; for a file, with line and column.
 */
export function readSeed(seed: Seed | string): ParsedSeed {
  if (typeof seed !== "string") return check(seed, "The seed", () => "");
  if (seed !== builtInSeed) return readFile(seed);
  parsedBuiltIn ??= readFile(seed);
  return parsedBuiltIn;
}

/** Parsed once, as parsing takes longer than all else that an emulator does at its start. */
let parsedBuiltIn: ParsedSeed | undefined;

function readFile(path: string): ParsedSeed {
  const lines = new LineCounter();
  const document = parseDocument(readFileText(path), { lineCounter: lines, merge: true });
  const [syntaxError] = document.errors;
  if (syntaxError) throw new Error(`The seed ${path} is not valid YAML: ${syntaxError.message}`);
  return check(document.toJS() ?? {}, `The seed ${path}`, (issuePath) => position(document, lines, issuePath));
}

function readFileText(path: string): string {
  const decoded = decodeUtf8(readBytes(path));
  if ("problem" in decoded) throw new Error(`The seed ${path} ${decoded.problem}. Look at line ${decoded.line}.`);
  return decoded.text;
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new Error(`The seed ${path} cannot be read. Pass the path of a YAML file.`, { cause });
  }
}

function check(seed: unknown, source: string, positionOf: (path: readonly PropertyKey[]) => string): ParsedSeed {
  const parsed = seedSchema.safeParse(seed);
  if (parsed.success) return parsed.data;
  throw new Error(
    [`${source} is not valid:`, ...parsed.error.issues.map((issue) => describe(issue, positionOf))].join("\n"),
  );
}

function describe(issue: z.core.$ZodIssue, positionOf: (path: readonly PropertyKey[]) => string): string {
  return `  ${positionOf(issue.path)}${pathText(issue.path)}: ${issue.message}`;
}

/** A path as messages about seeds show it, for example `tenants[3].name`. */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((segment, index) =>
      typeof segment === "number" ? `[${segment}]` : `${index > 0 ? "." : ""}${String(segment)}`,
    )
    .join("");
}

/** The line and column of the innermost node of a path that the file has, for example "12:5 ". */
function position(document: Document, lines: LineCounter, path: readonly PropertyKey[]): string {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (!isNode(node) || !node.range) continue;
    const { line, col } = lines.linePos(node.range[0]);
    return `${line}:${col} `;
  }
  return "";
}

/**
 * Adds the records of a seed to the platform: all of them, or none when one is not consistent with the others.
 *
 * @param options.clearFirst whether to remove all other records first. Otherwise the seed is added only to an empty
 * platform.
 * @throws Error that names the place in the seed.
 */
export function applySeed(
  platform: Platform,
  seed: ParsedSeed,
  { clearFirst }: { readonly clearFirst: boolean },
): void {
  platform.store.transaction(() => {
    if (clearFirst) platform.store.clear();
    if (!platform.store.isEmpty()) return;
    if (seed.settings) at(["settings"], () => changeSettings(platform, seed.settings ?? {}));
    addIntegrations(platform, seed);
    seed.tenants.forEach((tenant, index) => {
      at(["tenants", index], () => addTenant(platform, tenant, "seed"));
    });
  });
}

function addIntegrations(platform: Platform, seed: ParsedSeed): void {
  seed.integrations.forEach(({ releases, ...integration }, index) => {
    at(["integrations", index], () => {
      const { id } = addIntegration(platform, integration, "seed");
      releases.forEach((release, releaseIndex) => {
        at(["releases", releaseIndex], () => addRelease(platform, id, release));
      });
      requireDefaultRelease(platform, id);
    });
  });
}

function requireDefaultRelease({ store }: Platform, integrationId: number): void {
  const releaseId = store.integrations.find(integrationId)?.default_release_id ?? null;
  if (releaseId === null || store.releases.find(releaseId)?.integration_id === integrationId) return;
  throw new Error(`default_release_id ${releaseId} is not one of the integration's releases`);
}

function at(path: readonly (string | number)[], work: () => unknown): void {
  try {
    work();
  } catch (cause) {
    throw new Error(`${pathText(path)}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
