import { z } from "zod";
import { nonEmptyString } from "../inputs/string-schema.ts";
import type { Setting } from "./setting.ts";

/** The name of a tenant. It is always managed. */
export const name: Setting<string> = {
  schema: nonEmptyString(),
  storedSchema: z.string(),
  kind: "value",
  triggersSync: false,
  problemOf: nameProblem,
  live: ({ tenant }) => tenant.name,
  observe: ({ observed }) => observed.tenant.name,
  createFields: (name) => ({ name }),
  write: { endpoint: "tenant", fields: ({ declared }) => ({ name: declared }) },
  export: ({ observed }) => ({ value: observed.tenant.name, leftOut: [] }),
};

/** The most characters that the platform takes for a new name. */
export const nameLengthMaximum = 63;

/** Why a string cannot be the name of a new tenant (specification, CreateTenant). Existing names are not checked. */
export function nameProblem(name: string): string | undefined {
  if (name.length > nameLengthMaximum) {
    return `must have at most ${nameLengthMaximum} characters, and has ${name.length}`;
  }
  if (/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name)) return undefined;
  const valid = withoutInvalidCharacters(name);
  const suggestion = valid === "" ? "" : `, such as "${valid}"`;
  return `must be lowercase letters, digits and "-", with "-" neither first nor last${suggestion}`;
}

function withoutInvalidCharacters(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{Mark}/gu, "");
  return plain
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
