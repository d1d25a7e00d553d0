import { cp } from "node:fs/promises";
import { join } from "node:path";
import type { Project } from "../engine/harness/create-project.ts";

/** The source of a program that declares the resources in `declared.json`. */
export const tracedProgram = `
import * as pulumi from "@pulumi/pulumi";
import { readFileSync } from "node:fs";
import * as classes from "./src/index.ts";
const made = {};
const valueOf = (value) => {
  if (typeof value !== "object" || value === null) return value;
  if ("$secret" in value) return pulumi.secret(value.$secret);
  if ("$of" in value) return "property" in value ? made[value.$of][value.property] : made[value.$of];
  if (Array.isArray(value)) return value.map(valueOf);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, valueOf(item)]));
};
for (const { type, name, args, aliases = [], replaceOnChanges = [] } of JSON.parse(readFileSync("declared.json", "utf8"))) {
  const options = { aliases: aliases.map((alias) => ({ name: alias })), replaceOnChanges };
  made[type + " " + name] = new classes[type](name, valueOf(args), options);
}
`;

/** Wraps the provider in the project's copy of the sources with a tracing module. */
export async function traceProvider(project: Project): Promise<void> {
  const provider = join(project.directory, "src/provider");
  await cp(join(provider, "index.ts"), join(provider, "untraced.ts"));
  await cp(join(import.meta.dirname, "call.ts"), join(provider, "call.ts"));
  await project.put("src/provider/index.ts", tracingProvider(join(project.directory, "traces")));
}

const tracingProvider = (folder: string) => `
import { appendFileSync } from "node:fs";
import { traced } from "./call.ts";
import * as untraced from "./untraced.ts";
const file = ${JSON.stringify(folder)} + "/" + process.hrtime.bigint() + ".jsonl";
let number = 0;
const write = (event) => appendFileSync(file, JSON.stringify(event) + "\\n");
const next = () => number++;
export const tenant = traced("Tenant", untraced.tenant, write, next);
export const tenantMetadata = traced("TenantMetadata", untraced.tenantMetadata, write, next);
export const build = traced("Build", untraced.build, write, next);
export const syncTrigger = traced("SyncTrigger", untraced.syncTrigger, write, next);
export const tenantFleet = traced("TenantFleet", untraced.tenantFleet, write, next);
export const fleetRollout = traced("FleetRollout", untraced.fleetRollout, write, next);
`;
