import { isDeepStrictEqual } from "node:util";
import type { Tenant } from "../api/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { valueAt } from "../json/key-path.ts";
import { jsonSchemaOf } from "../json-schema/index.ts";
import type { IntegrationScope } from "../operation/integration-scope.ts";
import type { OperationContext } from "../operation/operation-context.ts";
import { patchSettings } from "../platform-profile/questions.ts";
import { isMask } from "../settings/masks.ts";
import { withReleaseAlone } from "../settings/release.ts";
import { haveSameMinutes } from "../settings/same-minutes.ts";
import { type Findings, found, notFound } from "./findings.ts";
import { sampleConfigs, typedProperty } from "./sample-configs.ts";
import { type ScratchTenant, type Written, withScratchTenant } from "./scratch-tenant.ts";

/**
 * Asks each question that only a write can answer: makes a scratch tenant, changes it, looks what reads show, and archives it.
 *
 * @param configs of the scratch tenant. Default: samples of what the schema of the integration's default release requires.
 */
export async function measurePlatform(
  context: OperationContext,
  integration: IntegrationScope,
  findings: Findings,
  configs?: JsonObject,
): Promise<void> {
  const { default_release_id: releaseId } = integration.record;
  const releases = await integration.releases.all();
  const release = releases.find(({ id }) => id === releaseId) ?? releases.at(-1);
  const schema = jsonSchemaOf(release?.config_schema) ?? {};
  const base = configs ?? sampleConfigs(schema);
  await withScratchTenant(context, integration, base, async (scratch) => {
    const answers = createAnswers();
    const patch = async (fields: Parameters<ScratchTenant["patch"]>[0]) => {
      const written = await scratch.patch(fields);
      answers.note(written, fields);
      return written;
    };
    const ignored = await measureFields(findings, patch, scratch.tenant);

    const ofConfigs: ObjectProbe = {
      name: "configs",
      base,
      write: async (data) => partOf(await patch({ configs: data }), ({ configs: shown }) => shown),
    };
    const ofMetadata: ObjectProbe = {
      name: "metadata",
      base: {},
      write: async (data) => {
        const written = await scratch.patchMetadata(data);
        answers.noteObject(written, data);
        return written;
      },
    };
    const [configs, metadata] = [await measureObject(findings, ofConfigs), await measureObject(findings, ofMetadata)];
    if (configs === "not taken") ignored.push("configs");
    await measureForms(findings, [
      ...(configs === "any keys" ? [ofConfigs] : []),
      ...(metadata === "any keys" ? [ofMetadata] : []),
    ]);
    await measureSecrets(findings, ofConfigs, schema, context.configSchemaOf(release));
    await measureSchemas(findings, ofConfigs, schema);

    const evidence =
      ignored.length === 0 ? "each PATCH was shown by lists" : `PATCH was ignored or refused for ${ignored.join(", ")}`;
    const taken = patchSettings.filter((name) => !ignored.includes(name));
    found(findings, "tenant.patch", taken, "measured", evidence);
    answers.conclude(findings);
    const seconds = Math.ceil(scratch.lagSeconds * 10) / 10;
    found(
      findings,
      "reads.lagSeconds",
      seconds,
      "measured",
      `the slowest list showed a write ${seconds} s after its answer`,
    );
  });
}

type Patch = (fields: Parameters<ScratchTenant["patch"]>[0]) => Promise<Written<Tenant>>;
type FieldName = (typeof patchSettings)[number];

/** Changes the fields that are no free-form objects. Returns the settings that PATCH does not take. */
async function measureFields(findings: Findings, patch: Patch, tenant: Tenant): Promise<FieldName[]> {
  const ignored: FieldName[] = [];
  const cron = "0 */6 * * *";
  const schedule = await patch({ user_schedule: cron });
  const first = schedule.after.user_schedule;
  if (schedule.refused !== undefined || first === undefined || first === null) {
    if (schedule.refused === undefined || isMissing(schedule)) ignored.push("schedule");
    notFound(findings, "schedule.form", `PATCH with user_schedule: ${schedule.refused ?? "not shown"}`);
  } else {
    const second = (await patch({ user_schedule: cron })).after.user_schedule;
    const form = second !== first ? "shifted" : first === cron ? "kept" : "own";
    const minutes = form === "own" && haveSameMinutes(first, cron) ? ", the same minutes" : "";
    const evidence = `sent "${cron}" twice, lists show "${first}" and "${second}"${minutes}`;
    found(findings, "schedule.form", form, "measured", evidence);
  }

  const renamed = await patch({ name: `${tenant.name}-renamed` });
  if (isMissing(renamed) || (renamed.refused === undefined && renamed.after.name === tenant.name)) ignored.push("name");

  const channel = tenant.integration_release_channel === "Latest" ? "Default" : "Latest";
  const fields = { integration_release_id: null, integration_release_channel: channel };
  let moved = await patch(fields);
  if (moved.refused === "422") moved = await patch(withReleaseAlone(fields) ?? fields);
  const isMoved = moved.after.integration_release_channel === channel;
  if (isMissing(moved) || (moved.refused === undefined && !isMoved)) ignored.push("release");

  const resumed = await patch({ paused: false });
  const evidence = `PATCH with paused: false of an unconnected tenant: ${resumed.refused ?? "200"}`;
  if (isMissing(resumed)) ignored.push("paused");
  else if (resumed.refused !== undefined) found(findings, "paused.unconnected", "refused", "measured", evidence);
  else if (resumed.after.paused)
    found(findings, "paused.unconnected", "ignored", "measured", `${evidence}, lists show true`);
  else {
    found(findings, "paused.unconnected", "accepted", "measured", `${evidence}, lists show false`);
    await patch({ paused: true }); // no run of it should begin
  }
  if (isMissing(resumed)) notFound(findings, "paused.unconnected", `PATCH of a tenant: ${resumed.refused}`);
  return ignored;
}

/** Whether the platform has no such operation. */
function isMissing({ refused }: Pick<Written<unknown>, "refused">): boolean {
  return refused === "404" || refused === "405";
}

/** A free-form object of the scratch tenant. */
interface ObjectProbe {
  name: "configs" | "metadata";
  /** What each write has, as the schema may require it. */
  base: JsonObject;
  write(data: JsonObject): Promise<Written<JsonObject>>;
}

/** What a PATCH takes of an object: `known keys` are those that its schema names. */
type TakenKeys = "any keys" | "known keys" | "not taken";

/** Finds out what a PATCH does with an object, and how it removes a key. */
async function measureObject(findings: Findings, { name, base, write }: ObjectProbe): Promise<TakenKeys> {
  const [patchOf, removalOf] = [`${name}.patch`, `${name}.removal`] as const;
  const none = (taken: TakenKeys, reason: string) => {
    notFound(findings, patchOf, reason);
    notFound(findings, removalOf, reason);
    return taken;
  };
  const all = { ...base, calibrate_a: "a", calibrate_b: "b", calibrate_c: { x: "1", y: "2" } };
  const first = await write(all);
  if (first.refused !== undefined) {
    return none(
      isMissing(first) ? "not taken" : "known keys",
      `a PATCH with keys of calibrate's own: ${first.refused}`,
    );
  }
  if (first.after.calibrate_a === undefined) {
    return none("not taken", "the platform answered a PATCH with success and shows none of it");
  }

  const second = await write({ ...base, calibrate_a: "c" });
  if (second.after.calibrate_b === undefined) {
    const evidence = "a PATCH without a key: lists show it no more";
    found(findings, patchOf, "replace", "measured", evidence);
    found(findings, removalOf, "omit", "measured", evidence);
    return "any keys";
  }
  const third = await write({ ...base, calibrate_c: { x: "3" } });
  const isDeep = valueAt(third.after, ["calibrate_c", "y"]) !== undefined;
  const inside = isDeep ? "a key in an object stays, too" : "the value of a key is replaced";
  found(findings, patchOf, isDeep ? "merge-patch" : "merge", "measured", `a PATCH without a key leaves it; ${inside}`);
  const removed = await write({ ...base, calibrate_b: null });
  const isGone = removed.refused === undefined && removed.after.calibrate_b === undefined;
  const shown = removed.refused ?? (isGone ? "it is gone" : "it stays");
  found(findings, removalOf, isGone ? "null" : "none", "measured", `a PATCH with null for a key: ${shown}`);
  return "any keys";
}

/** Values that platforms are known to show in forms of their own, by what is special about them. */
const forms: readonly (readonly [what: string, key: string, value: JsonValue])[] = [
  ["a string with spaces around it", "calibrate_text", " a "],
  ["a number", "calibrate_number", 7],
  ["an object in a list", "calibrate_list", [{ k: "v" }]],
  ['""', "calibrate_empty", ""],
  ["[]", "calibrate_none", []],
];

async function measureForms(findings: Findings, probes: readonly ObjectProbe[]): Promise<void> {
  if (probes.length === 0)
    return notFound(findings, "values.form", "no free-form object takes keys of calibrate's own");
  const own = new Set<string>();
  const refused = new Set<string>();
  for (const { base, write } of probes) {
    const written = await write({ ...base, ...Object.fromEntries(forms.map(([, key, value]) => [key, value])) });
    if (written.refused !== undefined) refused.add(written.refused);
    else for (const [what, key, value] of forms) if (!isDeepStrictEqual(written.after[key], value)) own.add(what);
  }
  if (refused.size === probes.length) {
    return notFound(findings, "values.form", `a PATCH with various values: ${[...refused].join(", ")}`);
  }
  const evidence =
    own.size === 0 ? "all values are shown as they were sent" : `shown otherwise: ${[...own].join(", ")}`;
  found(findings, "values.form", own.size === 0 ? "kept" : "own", "measured", evidence);
}

/** Writes a secret at a place that the schema marks, and looks what reads show there. */
async function measureSecrets(
  findings: Findings,
  { base, write }: ObjectProbe,
  schema: JsonObject,
  { isHidden, namesAt }: ReturnType<OperationContext["configSchemaOf"]>,
): Promise<void> {
  const name = namesAt([]).find((key) => {
    const property = valueAt(schema, ["properties", key]);
    return isHidden([key]) && isJsonObject(property) && (property.type ?? "string") === "string";
  });
  if (name === undefined) {
    return notFound(findings, "secrets.display", "the schema of the integration marks no secret");
  }
  const secret = "calibrate-secret";
  const written = await write({ ...base, [name]: secret });
  if (written.refused !== undefined) {
    return notFound(findings, "secrets.display", `a PATCH with a value at ${name}: ${written.refused}`);
  }
  const shown = written.after[name];
  const display = shown === secret ? "shown" : shown === undefined ? "omitted" : shown === null ? "null" : "masked";
  const evidence = `a value written at ${name} is ${display}${isMask(shown) ? "" : display === "masked" ? " by a word" : ""}`;
  found(findings, "secrets.display", display, "measured", evidence);
}

async function measureSchemas(findings: Findings, { base, write }: ObjectProbe, schema: JsonObject): Promise<void> {
  const property = typedProperty(schema);
  if (property === undefined) {
    return notFound(findings, "schemas.enforced", "the schema of the integration has no property of a simple type");
  }
  const { refused } = await write({ ...base, [property.key]: property.wrong });
  const evidence = `a PATCH with a value of a wrong type at ${property.key}: ${refused ?? "200"}`;
  found(findings, "schemas.enforced", refused === undefined ? "no" : "yes", "measured", evidence);
}

/** Compares what answers show with what reads show afterwards. */
function createAnswers() {
  let isNothing = false;
  let isEchoed = false;
  let isTold = false;
  const compare = (sent: unknown, answered: unknown, shown: unknown) => {
    if (!isDeepStrictEqual(answered, shown)) isEchoed = true;
    else if (!isDeepStrictEqual(sent, shown)) isTold = true;
  };
  const note = ({ refused, answer, after }: Written<Tenant>, fields: object) => {
    if (refused !== undefined) return;
    if (answer === undefined) isNothing = true;
    else {
      for (const [field, sent] of Object.entries(fields)) {
        compare(sent, valueAt(answer, [field]) ?? null, valueAt(after, [field]) ?? null);
      }
    }
  };
  return {
    note,
    noteObject: ({ refused, answer, after }: Written<JsonObject>, sent: JsonObject) => {
      if (refused === undefined) compare(sent, answer, after);
    },
    conclude: (findings: Findings) => {
      const [answer, evidence] = isNothing
        ? (["nothing", "PATCH of a tenant does not answer the tenant"] as const)
        : isEchoed
          ? (["echoed", "an answer has shown what was sent, and lists another value"] as const)
          : (["stored", "an answer has shown what lists show, and not what was sent"] as const);
      if (answer !== "stored" || isTold) found(findings, "answers.show", answer, "measured", evidence);
      else notFound(findings, "answers.show", "all that was sent was stored as it is, so no answer could tell");
    },
  };
}

function partOf<Value, Part>(
  { answer, before, after, ...rest }: Written<Value>,
  part: (value: Value) => Part,
): Written<Part> {
  return { ...rest, answer: answer && part(answer), before: part(before), after: part(after) };
}
