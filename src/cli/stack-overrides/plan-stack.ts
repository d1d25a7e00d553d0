import { isDeepStrictEqual } from "node:util";
import { normalizeBaseUrl } from "../../api/base-url.ts";
import { defined } from "../../json/defined.ts";
import { isUnknown } from "../../json/unknown.ts";
import { endOf, isInForce, type Override } from "../../settings/override.ts";
import { isNamed, overrideFor, relationById } from "../../stack/declarations/override-for.ts";
import type { OverrideDeclaration } from "../../stack/declarations/overrides.ts";
import type { WrittenOverride, YamlOverride } from "../pause-note/note.ts";
import type { StackOfFile } from "../stack-file.ts";
import { isOneOf, pausedBefore, running, withoutLiveTenant } from "./concerned-tenants.ts";
import type { DeclaredTenant, DeclaredTenants } from "./declared-tenants.ts";
import type { Incident } from "./incident.ts";
import type { OverrideEdit } from "./override-yaml.ts";
import { wantedOverrides } from "./wanted-overrides.ts";

/** What a stack's file says about the tenants of an incident, and how its overrides have to change. */
export interface StackPlan {
  /** Name of the file. */
  file: string;
  /** The tenants that its next `up` would resume if the file stays as it is. */
  resumes: readonly DeclaredTenant[];
  /** Address of the platform that it is about, if that is another one. Its file is left alone. */
  otherPlatform?: string;
  /** The tenants that were brought back, and that its next `up` would pause again: other overrides cover them. */
  pausesAgain: readonly DeclaredTenant[];
  /** The tenants that stay covered although one of them may be a tenant that was brought back, under another name. */
  mayPauseAgain: readonly DeclaredTenant[];
  /** The tenants to bring back that an override of another reason pauses, as that incident has not ended. */
  held: readonly HeldTenant[];
  /** The tenants that `resume` leaves to another incident, and that its next `up` would resume: that incident has no override for them. */
  uncovered: readonly HeldTenant[];
  /**
   * The tenants that no override can name without pausing others. For `resume`, only if an override that stays because of them
   * would pause a tenant again that `resume` brings back.
   */
  unnamed: readonly DeclaredTenant[];
  edits: readonly OverrideEdit[];
  /** The overrides of `pause` that the file has after these edits. */
  written: readonly WrittenOverride[];
  /** The overrides of `pause` that the file has, or may have, and `resume` leaves there, and why. */
  mayStay?: { overrides: readonly YamlOverride[]; because: string };
  /** Why the edits must not be written. */
  unwritable?: string;
  /** Whether it names environments of Pulumi ESC, which may have overrides that those of the file hide. */
  hasEnvironments: boolean;
  /** Why it is not fully known which tenants it would resume. */
  unknown: readonly string[];
}

/** A tenant that another incident holds. */
export interface HeldTenant {
  tenant: DeclaredTenant;
  /** The reason of its override. */
  reason: string;
}

/** A stack's file with the tenants that it declares. */
export interface DeclaringStack {
  stack: StackOfFile;
  declared: DeclaredTenants;
  /** Whether a file without a `baseUrl` is about the platform of the incident. */
  isAddressKnown: boolean;
}

/** Compares a stack's file with the tenants of an incident. */
export function planStack({ stack, declared, isAddressKnown }: DeclaringStack, incident: Incident): StackPlan {
  const { name: file, config, declarations } = stack;
  const named = declared.tenants.filter(isOneOf(incident.mustStayPaused, incident));
  const baseUrl = config.part("baseUrl")?.value;
  const hasEnvironments = stack.stackConfig.hasUnreadKeys;
  const none = {
    resumes: [],
    pausesAgain: [],
    mayPauseAgain: [],
    held: [],
    uncovered: [],
    unnamed: [],
    edits: [],
    written: [],
    unknown: [],
  };
  // `pause` writes into the stack's file only
  const isInFile = config.part("overrides")?.source === "stack file";
  const present = isInFile ? declarations.overrides.filter(({ fleet }) => fleet === undefined) : [];
  const noted = incident.written.filter((one) => one.file === file);
  const written = noted.filter((one) => present.some((other) => isSame(one.override, other)));
  // a file, or overrides, that cannot be read may have the others too
  const isUnreadable = stack.problems.some(({ path: [first = "overrides"] }) => first === "overrides");
  const mayBeThere = isUnreadable ? noted : written;
  const staying = (because: string) =>
    incident.resume === undefined || mayBeThere.length === 0
      ? {}
      : { mayStay: { overrides: mayBeThere.map(({ override }) => override), because } };
  const nothing = { file, hasEnvironments, ...none };
  const relationOf = relationById(incident.integrationIds);
  const inForce = declarations.overrides.filter((override) => isInForce(override, incident.now));
  const overrideIn = (overrides: readonly OverrideDeclaration[]) => (tenant: DeclaredTenant) =>
    overrideFor({ ...tenant, tenant }, overrides, relationOf);
  const ofAll = overrideIn(inForce);
  const isUncovered = (tenant: DeclaredTenant) => ofAll(tenant) === undefined;
  const resumes = running(named).filter(isUncovered);
  if (isUnknown(baseUrl)) {
    const unknown = ["its baseUrl is encrypted: set it without --secret"];
    return { ...nothing, resumes, unknown, ...staying("its baseUrl is encrypted") };
  }
  if (!isAddressKnown && named.length > 0) {
    const unknown = ["it has no baseUrl, so its platform is not known: set baseUrl in each stack's file"];
    return { ...nothing, resumes, unknown, ...staying("it has no baseUrl") };
  }
  const address = typeof baseUrl === "string" ? normalizeBaseUrl(baseUrl) : incident.platform;
  if (address !== incident.platform) {
    const isOther = `its baseUrl is that of another platform, ${address}`;
    return { ...nothing, resumes: running(named), otherPlatform: address, ...staying(isOther) };
  }

  const isOurs = (one: OverrideDeclaration) =>
    present.includes(one) && written.some(({ override }) => isSame(override, one));
  const ofIncident = inForce.filter((override) => override.reason === incident.reason);
  // another incident may end before this one
  const ofIncidentByHand = overrideIn(ofIncident.filter((override) => !isOurs(override)));
  const ofOtherIncidents = overrideIn(inForce.filter((override) => !ofIncident.includes(override)));
  const { created, renamed } = isAddressKnown ? withoutLiveTenant(declared, incident) : { created: [], renamed: [] };
  const ofOthers = overrideIn(declarations.overrides.filter(({ reason }) => reason !== incident.reason));
  const endsBefore = (other: Override | undefined) => other !== undefined && endOf(other) < endOf(incident);
  const released = pausedBefore(declared, incident).filter((tenant) => endsBefore(ofOthers(tenant)));
  const toResumeNext = [...running([...named, ...renamed]), ...released];
  const toCover = [...new Set([...toResumeNext, ...running(created)])].filter((tenant) => {
    const byHand = ofIncidentByHand(tenant);
    return byHand === undefined || endsBefore(byHand);
  });
  const resumed = (incident.resume?.resumed ?? []).filter(({ wasPaused }) => !wasPaused);
  const toResume = declared.tenants.filter(isOneOf(resumed, incident));
  const { overrides: wanted, unnamed } = wantedOverrides(toCover, declared, incident);
  const keeps = (one: WrittenOverride) => unnamed.some((tenant) => covers(one.override, tenant, incident));
  const isKeptFor = (tenant: DeclaredTenant) =>
    written.some(
      (one) => keeps(one) && isInForce(one.override, incident.now) && covers(one.override, tenant, incident),
    );
  const left = written
    .flatMap((one) => (keeps(one) ? one.override : (one.former ?? [])))
    .filter((override) => isInForce(override, incident.now));
  const afterwards = overrideIn([
    ...inForce.filter((override) => !isOurs(override)),
    ...left.map((override) => ({ ...override, node: config })),
  ]);
  const pausesAgain = toResume.filter((tenant) => tenant.paused !== true && afterwards(tenant) !== undefined);
  return {
    file,
    resumes: toResumeNext.filter(isUncovered),
    pausesAgain,
    mayPauseAgain: resumed.some(incident.isUndeclared) ? renamed.filter((tenant) => toCover.includes(tenant)) : [],
    held: toResume.flatMap((tenant) => {
      const other = isAddressKnown ? ofOtherIncidents(tenant) : undefined;
      return other === undefined ? [] : [{ tenant, reason: other.reason }];
    }),
    uncovered: [...Map.groupBy(incident.resume?.ofOthers ?? [], ({ reason }) => reason)].flatMap(([reason, tenants]) =>
      running(declared.tenants.filter(isOneOf(tenants, incident)))
        .filter((tenant) => afterwards(tenant) === undefined)
        .map((tenant) => ({ tenant, reason })),
    ),
    unnamed: incident.resume === undefined || pausesAgain.some(isKeptFor) ? unnamed : [],
    ...planEdits(file, wanted, {
      written,
      keeps,
      present: present.filter((one) => !isOurs(one)).map(yamlOf),
      incident,
    }),
    ...(mayBeThere.length > written.length
      ? staying("the file has problems, which `integration-platform validate` shows")
      : {}),
    ...defined({ unwritable: whyUnwritable(stack) }),
    hasEnvironments,
    unknown: declared.unknown,
  };
}

/** Why the file must not be changed: all overrides that the stack has elsewhere would be replaced by a key of its file. */
function whyUnwritable({ name, config, stackConfig }: StackOfFile): string | undefined {
  if (name.endsWith(".json")) return "it is JSON, and this command writes YAML";
  const overrides = config.part("overrides");
  if (overrides === undefined && !stackConfig.hasUnreadKeys) return undefined;
  if (overrides?.source === "stack file") return undefined;
  const elsewhere = overrides === undefined ? "an environment of Pulumi ESC may have" : "Pulumi.yaml has";
  return `${elsewhere} its overrides, which this would replace unless it repeats them`;
}

interface Existing {
  /** The overrides of `pause` that the file has. */
  written: readonly WrittenOverride[];
  /** Whether one of these covers a tenant that no other override could name: it may cover more tenants, but not fewer. */
  keeps(written: WrittenOverride): boolean;
  /** The others of the stack. */
  present: readonly YamlOverride[];
  incident: Incident;
}

/** How the wanted overrides get into a file. One of the same reason and integration is extended, so that there are not two. */
function planEdits(file: string, wanted: readonly YamlOverride[], { written, keeps, present, incident }: Existing) {
  const edits: OverrideEdit[] = [];
  const after: WrittenOverride[] = [];
  const isSameIntegration = (one: YamlOverride, other: YamlOverride) =>
    idOf(one, incident) !== undefined && idOf(one, incident) === idOf(other, incident);
  const used = new Set<WrittenOverride>();
  for (const override of wanted) {
    const own = written.find((one) => isSameIntegration(one.override, override));
    if (own !== undefined) used.add(own);
    const isExtensible = (one: YamlOverride) =>
      one.reason === override.reason && one.tenants !== undefined && isSameIntegration(one, override);
    const former = own === undefined ? present.find(isExtensible) : own.former;
    const least = former === undefined ? override : extended(former, override);
    const to = own !== undefined && keeps(own) ? extended(own.override, least) : least;
    const from = own?.override ?? former;
    if (!isSame(to, from)) edits.push({ from, to });
    after.push(defined({ file, override: to, former }));
  }
  for (const one of written) {
    if (used.has(one)) continue;
    if (keeps(one)) after.push(one);
    else edits.push({ from: one.override, to: one.former });
  }
  return { edits, written: after };
}

/** Whether an override that `pause` has written covers a tenant. It has an integration. */
function covers(override: YamlOverride, tenant: DeclaredTenant, incident: Incident): boolean {
  if (idOf(override, incident) !== tenant.integrationId) return false;
  return override.tenants === undefined || isNamed(tenant, override.tenants);
}

function idOf({ integration }: YamlOverride, { integrationIds }: Incident): number | undefined {
  return integration === undefined ? undefined : integrationIds.get(integration);
}

function extended(former: YamlOverride, override: YamlOverride): YamlOverride {
  const until = endOf(former) > endOf(override) ? former.until : override.until;
  const areAll = former.tenants === undefined || override.tenants === undefined;
  const tenants = areAll ? undefined : [...new Set([...(former.tenants ?? []), ...(override.tenants ?? [])])];
  return defined({ ...former, until, tenants });
}

function isSame(one: YamlOverride, other: YamlOverride | undefined): boolean {
  return other !== undefined && isDeepStrictEqual(yamlOf(one), yamlOf(other));
}

function yamlOf({ paused, reason, until, integration, tenants }: YamlOverride): YamlOverride {
  return defined({ paused, reason, until, integration, tenants });
}
