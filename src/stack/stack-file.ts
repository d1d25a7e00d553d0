import { existsSync } from "node:fs";
import { basename } from "node:path";
import { valueAt } from "../json-schema/index.ts";
import { type KeyPath, openYamlFile } from "./yaml-file.ts";

/** A path of keys in the config, from the name of the config key on: `["tenants", "acme", "schedule"]`. */
export type ConfigPath = KeyPath;

/** The stack's YAML file, which knows where things stand and which of them are secret. */
export interface StackFile {
  /** `Pulumi.sandbox.yaml:8:20`, of the place or the nearest one around it. */
  locate(path: ConfigPath): string;
  /** Whether the place is a secret, `{ secure: ... }`, or is part of a config key that is one secret as a whole. */
  isSecret(path: ConfigPath): boolean;
  /** Whether the file says of a config key what the engine says, secrets aside: only then can it be trusted for the rest. */
  agrees(key: string, value: unknown): boolean;
  /** The numbers under a config key that JavaScript does not hold as they are written. */
  inexactNumbers(key: string): { path: ConfigPath; where: string }[];
}

/** Opens the file; `undefined` where there is none, as with `--config-file` or config that is kept elsewhere. */
export function openStackFile(path: string): StackFile | undefined {
  if (!existsSync(path)) return undefined;
  const file = openYamlFile(path, basename(path));
  if (file.errors.length > 0) return undefined;
  const inFile = ([key, ...rest]: ConfigPath) => ["config", `integration-platform:${String(key)}`, ...rest];
  return {
    locate: (path) => file.locate(inFile(path)),
    isSecret: (path) => [path.slice(0, 1), path].some((place) => isSecure(file.valueAt(inFile(place)))),
    agrees: (key, value) => agree(file.valueAt(inFile([key])), value),
    inexactNumbers: (key) => {
      const [section, name] = inFile([key]);
      const inKey = file.inexactNumbers.filter(({ path }) => path[0] === section && path[1] === name);
      return inKey.map(({ path: [, , ...rest], where }) => ({ path: [key, ...rest], where }));
    },
  };
}

/** Whether a value is an encrypted one, `{ secure: ... }`. */
export function isSecure(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const [[key, text] = [], ...others] = Object.entries(value);
  return key === "secure" && typeof text === "string" && others.length === 0;
}

function agree(written: unknown, value: unknown): boolean {
  if (isSecure(written)) return true;
  if (!isObject(written) || !isObject(value)) {
    return (
      !isObject(written) && !isObject(value) && (String(written) === String(value) || isSameNumber(written, value))
    );
  }
  const keys = new Set([...Object.keys(written), ...Object.keys(value)]);
  return [...keys].every((key) => agree(valueAt(written, [key]), valueAt(value, [key])));
}

/** The engine hands over a number that is too large for it as a text. */
function isSameNumber(written: unknown, value: unknown): boolean {
  return typeof written === "number" && value !== "" && written === Number(value);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
