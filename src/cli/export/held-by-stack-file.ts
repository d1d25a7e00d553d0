import { isJsonObject, type JsonObject } from "../../json/json-value.ts";
import type { LeftOut } from "../../settings/setting.ts";
import { isHeldByEngine, isKeyHeldByEngine } from "../../stack/yaml/engine-text.ts";
import type { ExportedTenant } from "./exported-tenants.ts";

const reason = "cannot be held by a stack's file, which Pulumi reads otherwise";

/** The tenant without the settings and the keys of configs and metadata that a stack's file cannot hold. */
export function heldByStackFile({ key, entry, leftOut, notes }: ExportedTenant): ExportedTenant {
  const without: LeftOut[] = isKeyHeldByEngine(key) ? [] : [{ path: ["name"], reason }];
  const held = Object.entries(entry).flatMap(([setting, value]): [string, unknown][] => {
    const isFreeForm = setting === "configs" || setting === "metadata";
    if (!isFreeForm || !isJsonObject(value)) {
      if (isHeld(value)) return [[setting, value]];
      without.push({ path: [setting], reason });
      return [];
    }
    const kept: JsonObject = {};
    for (const [name, item] of Object.entries(value)) {
      if (isKeyHeldByEngine(name) && isHeld(item)) kept[name] = item;
      else without.push({ path: [setting, name], reason });
    }
    return Object.keys(kept).length === 0 ? [] : [[setting, kept]];
  });
  return { key, entry: { ...Object.fromEntries(held), adopt: entry.adopt }, leftOut: [...leftOut, ...without], notes };
}

/** Whether a tenant can be declared: without its name or its integration, `up` would find another one. */
export function isDeclarable({ leftOut }: ExportedTenant): boolean {
  return !leftOut.some(({ path: [setting] }) => setting === "name" || setting === "integration");
}

function isHeld(value: unknown): boolean {
  if (typeof value === "string") return isHeldByEngine(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isHeld);
  return Object.entries(value).every(([key, item]) => isKeyHeldByEngine(key) && isHeld(item));
}
