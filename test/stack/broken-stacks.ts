import { sha256 } from "../receiver/sha256.ts";

/** A stack's file with one mistake. Its other files are files of tenants. */
export interface BrokenStack {
  mistake: string;
  yaml: string;
  files?: Record<string, string>;
  /** The YAML of the engine's config, if the engine reads other values in the file than JavaScript. */
  effective?: string;
  /** Where the problem is shown. */
  where: string;
  /** Whether the JSON Schema finds it too. If not, only a check that knows more than the shape of one file can. */
  isInSchema: boolean;
  /** Whether Pulumi refuses or ignores the mistake before the program starts, so that the program cannot find it. */
  isBeforeProgram?: true;
}

/** Two encrypted values, as Pulumi writes them. */
export const cipher = "v1:AAAAAAAAAAAAAAAA:AAAAAAAAAAAAAAAAAAAAAAAA";
const otherCipher = "v1:BBBBBBBBBBBBBBBB:AAAAAAAAAAAAAAAAAAAAAAAA";

/** What the encrypted values of these stacks decrypt to. */
export const decrypted = { [cipher]: sha256("a token"), [otherCipher]: sha256("another token") };

const tenants = (text: string) =>
  `config:\n  integration-platform:tenantDefaults: { integration: crm }\n  integration-platform:tenants:\n${text}\n`;
const fleet = (text: string) => `config:\n  integration-platform:fleets:\n    billing: { ${text} }\n`;
const config = (key: string, text: string) => `config:\n  integration-platform:${key}: ${text}\n`;
const rollout = (text: string) =>
  `config:\n  integration-platform:fleets:\n    billing:\n      integration: crm\n      defaults: { release: { tag: v1 } }\n      tenants: { acme: {}, beta: {} }\n      rollout: { ${text} }\n`;
const overrideAndTenant = (until: string, date: string) =>
  `${config("overrides", `{ paused: true, reason: INC-42, until: ${until} }`)}  integration-platform:tenants: { acme: { integration: crm, metadata: { since: ${date} } } }\n`;
const at = (line: number, column: number) => `Pulumi.test.yaml:${line}:${column}`;

/** Mistakes that the JSON Schema finds. */
const shapes: Omit<BrokenStack, "isInSchema">[] = [
  { mistake: "a misspelt setting", yaml: tenants("    acme: { shedule: none }"), where: at(4, 13) },
  { mistake: "a misspelt key of the namespace", yaml: config("tenant", "{ acme: {} }"), where: at(2, 3) },
  {
    mistake: "a misspelt key of the file",
    yaml: "confg: { integration-platform:tenants: {} }\n",
    where: at(1, 1),
    isBeforeProgram: true,
  },
  { mistake: "a config that is a list", yaml: "config: [1]\n", where: at(1, 1), isBeforeProgram: true },
  { mistake: "tenants as a list", yaml: config("tenants", "[acme]"), where: at(2, 3) },
  { mistake: "a tenant that is null", yaml: tenants("    acme:"), where: at(4, 5) },
  { mistake: "a tenant that is a text", yaml: tenants("    acme: paused"), where: at(4, 5) },
  { mistake: "paused as a text", yaml: tenants('    acme: { paused: "no" }'), where: at(4, 13) },
  { mistake: "configs as a text", yaml: tenants("    acme: { configs: eu }"), where: at(4, 13) },
  { mistake: "metadata as a list", yaml: tenants("    acme: { metadata: [gold] }"), where: at(4, 13) },
  { mistake: "a schedule that is a number", yaml: tenants("    acme: { schedule: 5 }"), where: at(4, 13) },
  { mistake: "a release as a text", yaml: tenants("    acme: { release: v1 }"), where: at(4, 13) },
  { mistake: "a release given two ways", yaml: tenants("    acme: { release: { tag: v1, id: 4 } }"), where: at(4, 13) },
  { mistake: "a release given no way", yaml: tenants("    acme: { release: {} }"), where: at(4, 13) },
  {
    mistake: "a channel in lower case",
    yaml: tenants("    acme: { release: { channel: latest } }"),
    where: at(4, 24),
  },
  { mistake: "an integration without a name", yaml: tenants('    acme: { integration: "" }'), where: at(4, 13) },
  { mistake: "an adopt that is none", yaml: tenants("    acme: { adopt: always }"), where: at(4, 13) },
  { mistake: "aliases as a text", yaml: tenants("    acme: { aliases: before }"), where: at(4, 13) },
  { mistake: "a sync without a mode", yaml: tenants("    acme: { sync: { on: [configs] } }"), where: at(4, 13) },
  {
    mistake: "a sync on a setting that there is not",
    yaml: tenants("    acme: { sync: { mode: init, on: [config] } }"),
    where: at(4, 38),
  },
  {
    mistake: "a time limit as a text",
    yaml: tenants("    acme: { sync: { mode: init, timeoutSeconds: 5m } }"),
    where: at(4, 33),
  },
  { mistake: "a fleet without an integration", yaml: fleet("tenants: {}"), where: at(3, 5) },
  { mistake: "a misspelt limit", yaml: fleet("integration: crm, limits: { archived: 3 }"), where: at(3, 44) },
  {
    mistake: "a limit without a percent sign",
    yaml: fleet("integration: crm, limits: { change: '20' }"),
    where: at(3, 44),
  },
  { mistake: "no concurrency", yaml: fleet("integration: crm, syncConcurrency: 0"), where: at(3, 34) },
  {
    mistake: "a name for all tenants of a fleet",
    yaml: fleet("integration: crm, defaults: { name: acme }"),
    where: at(3, 46),
  },
  { mistake: "a misspelt setting of a group", yaml: config("groups", "{ gold: { shedule: none } }"), where: at(2, 42) },
  {
    mistake: "a group in a group",
    yaml: fleet("integration: crm, groups: { gold: { groups: eu }, eu: {} }"),
    where: at(3, 52),
  },
  {
    mistake: "a group that is encrypted as a whole",
    yaml: config("groups", `{ gold: { secure: "${cipher}" } }`),
    where: at(2, 34),
  },
  {
    mistake: "encrypted names of groups",
    yaml: fleet(`integration: crm, groups: { a: {} }, tenants: { acme: { groups: { secure: "${cipher}" } } }`),
    where: at(3, 72),
  },
  {
    mistake: "a misspelt key of tenantsFrom",
    yaml: fleet("integration: crm, tenantsFrom: [{ path: tenants.yaml, feilds: [paused] }]"),
    where: at(3, 70),
  },
  { mistake: "a build without a tag", yaml: config("builds", "{ v3: { integration: crm } }"), where: at(2, 34) },
  {
    mistake: "a build that takes no time",
    yaml: config("builds", "{ v3: { integration: crm, tag: v3, timeoutSeconds: 0 } }"),
    where: at(2, 67),
  },
  { mistake: "a receiver without tokens", yaml: config("webhookReceiver", "{ silenceHours: 4 }"), where: at(2, 3) },
  {
    mistake: "a receiver with a misspelt key beside an encrypted one",
    yaml: config(
      "webhookReceiver",
      `{ tokens: [{ secure: "${cipher}" }], platform: { apiKey: { secure: "${cipher}" }, url: x } }`,
    ),
    where: at(2, 193),
  },
  {
    mistake: "a receiver with a plaintext token",
    yaml: config("webhookReceiver", `{ tokens: [${sha256("a token")}] }`),
    where: at(2, 52),
  },
  {
    mistake: "a receiver with a plaintext API key",
    yaml: config("webhookReceiver", `{ tokens: [{ secure: "${cipher}" }], platform: { apiKey: the-key } }`),
    where: at(2, 125),
  },
  {
    mistake: "a receiver with one consumer",
    yaml: config("webhookReceiver", `{ tokens: [{ secure: "${cipher}" }], consumerConcurrency: 1 }`),
    where: at(2, 113),
  },
  {
    mistake: "a subscription to an unknown event",
    yaml: config(
      "webhookReceiver",
      `{ tokens: [{ secure: "${cipher}" }], onEvent: { a: { eventTypes: [run_fail], targetArn: "arn:aws:sns:x" } } }`,
    ),
    where: at(2, 129),
  },
  {
    mistake: "a subscription with a name that AWS does not accept",
    yaml: config(
      "webhookReceiver",
      `{ tokens: [{ secure: "${cipher}" }], onEvent: { on call: { eventTypes: all, targetArn: "arn:aws:sns:x" } } }`,
    ),
    where: at(2, 124),
  },
  {
    mistake: "logs for eight days",
    yaml: config("webhookReceiver", `{ tokens: [{ secure: "${cipher}" }], logRetentionDays: 8 }`),
    where: at(2, 113),
  },
  { mistake: "a rollout without waves", yaml: rollout("paused: true"), where: at(7, 7) },
  { mistake: "no waves", yaml: rollout("waves: []"), where: at(7, 18) },
  { mistake: "a wave of nobody", yaml: rollout("waves: [{ name: early }, { percent: 100 }]"), where: at(7, 26) },
  {
    mistake: "a wave of tenants and a share",
    yaml: rollout("waves: [{ tenants: [acme], percent: 5 }, { percent: 100 }]"),
    where: at(7, 26),
  },
  { mistake: "a share above 100", yaml: rollout("waves: [{ percent: 110 }, { percent: 100 }]"), where: at(7, 28) },
  {
    mistake: "a freeze of days as in Germany",
    yaml: rollout("waves: [{ percent: 100 }], freeze: [{ from: 20.12.2026, to: 2027-01-03 }]"),
    where: at(7, 56),
  },
  { mistake: "an override as a text", yaml: config("overrides", "INC-42"), where: at(2, 3) },
  { mistake: "a list of texts as overrides", yaml: config("overrides", "[INC-42]"), where: at(2, 36) },
  { mistake: "an override without a reason", yaml: config("overrides", "{ paused: true }"), where: at(2, 3) },
  {
    mistake: "an override that resumes",
    yaml: config("overrides", "{ paused: false, reason: INC-42 }"),
    where: at(2, 37),
  },
  {
    mistake: "an override until a day",
    yaml: config("overrides", "{ paused: true, reason: INC-42, until: 2026-11-24 }"),
    where: at(2, 67),
  },
  {
    mistake: "a misspelt setting of a fleet's override",
    yaml: fleet("integration: crm, overrides: [{ paused: true, reason: INC-42, untill: 2026-11-24T06:00:00Z }]"),
    where: at(3, 78),
  },
  {
    mistake: "an integration in a fleet's override",
    yaml: fleet("integration: crm, overrides: { paused: true, reason: INC-42, integration: crm }"),
    where: at(3, 77),
  },
  {
    mistake: "an override at a tenant",
    yaml: tenants("    acme: { override: { paused: true, reason: INC-42 } }"),
    where: at(4, 13),
  },
  {
    mistake: "a misspelt setting of a gate",
    yaml: rollout("waves: [{ percent: 100 }], gate: { soak: 60 }"),
    where: at(7, 53),
  },
  {
    mistake: "an encrypted value of which the end is missing",
    yaml: tenants('    acme: { configs: { token: { secure: "v1:AAAAAAAAAAAAAAAA:AAAA" } } }'),
    where: at(4, 24),
    isBeforeProgram: true,
  },
  {
    mistake: "a misspelt setting in a file of tenants",
    yaml: fleet("integration: crm, tenantsFrom: tenants.yaml"),
    files: { "tenants.yaml": "acme: { pause: true }\n" },
    where: "tenants.yaml:1:9",
  },
  {
    mistake: "an integration in a file of tenants",
    yaml: fleet("integration: crm, tenantsFrom: tenants.yaml"),
    files: { "tenants.yaml": "acme: { integration: crm }\n" },
    where: "tenants.yaml:1:9",
  },
  {
    mistake: "a secret in a file of tenants",
    yaml: fleet("integration: crm, tenantsFrom: tenants.yaml"),
    files: { "tenants.yaml": `acme: { configs: { token: { secure: "${cipher}" } } }\n` },
    where: "tenants.yaml:1:20",
  },
];

/** Mistakes that only `validate` and the program find. */
const others: Omit<BrokenStack, "isInSchema">[] = [
  { mistake: "a cron of four fields", yaml: tenants('    acme: { schedule: "0 6 * *" }'), where: at(4, 13) },
  { mistake: "an hour 25", yaml: tenants('    acme: { schedule: "0 25 * * *" }'), where: at(4, 13) },
  { mistake: "a name with a capital", yaml: tenants("    Acme: {}"), where: at(4, 5) },
  { mistake: "a name with an underscore", yaml: tenants("    acme: { name: acme_1 }"), where: at(4, 13) },
  { mistake: "a name twice", yaml: tenants("    acme: {}\n    other: { name: acme }"), where: at(5, 5) },
  {
    mistake: "an id to adopt twice",
    yaml: tenants("    acme: { adopt: 7 }\n    other: { adopt: 7 }"),
    where: at(5, 14),
  },
  { mistake: "no integration", yaml: config("tenants", "{ acme: {} }"), where: at(2, 35) },
  { mistake: "an unknown build", yaml: tenants("    acme: { release: { build: v9 } }"), where: at(4, 24) },
  {
    mistake: "a file of tenants that is missing",
    yaml: fleet("integration: crm, tenantsFrom: x.yaml"),
    where: at(3, 34),
  },
  {
    mistake: "a number that JavaScript cannot hold",
    yaml: tenants("    acme: { configs: { account: 9007199254740993 } }"),
    where: at(4, 33),
  },
  {
    mistake: "a date without quotes",
    yaml: tenants("    acme: { metadata: { contract_end: 2027-01-31 } }"),
    effective: tenants("    acme: { metadata: { contract_end: 2027-01-31 00:00:00 +0000 UTC } }"),
    where: at(4, 39),
  },
  {
    mistake: "a number with a zero before it",
    yaml: tenants("    acme: { metadata: { cost_center: 0471 } }"),
    effective: tenants("    acme: { metadata: { cost_center: 313 } }"),
    where: at(4, 38),
  },
  {
    mistake: "a number with an underscore",
    yaml: fleet("integration: crm, tenants: { acme: { configs: { size: 1_000 } } }"),
    effective: fleet("integration: crm, tenants: { acme: { configs: { size: 1000 } } }"),
    where: at(3, 70),
  },
  {
    mistake: "a key with a zero before it",
    yaml: tenants("    acme: { configs: { mapping: { 0010: x } } }"),
    effective: tenants("    acme: { configs: { mapping: { 8: x } } }"),
    where: at(4, 35),
  },
  {
    mistake: "a date as a key",
    yaml: tenants("    acme: { configs: { prices: { 2027-01-31: 5 } } }"),
    effective: tenants("    acme: { configs: { prices: { 2027-01-31 00:00:00 +0000 UTC: 5 } } }"),
    where: at(4, 34),
  },
  {
    mistake: "a date without quotes outside of the config, with an alias in it",
    yaml: `x-common: &common { since: 2027-01-31 }\n${tenants("    acme: { metadata: *common }")}`,
    effective: tenants("    acme: { metadata: { since: 2027-01-31 00:00:00 +0000 UTC } }"),
    where: at(1, 28),
  },
  {
    mistake: "the end of an override without quotes, which is a date of a tenant too",
    yaml: overrideAndTenant("&end 2027-01-31T06:00:00Z", "*end"),
    effective: overrideAndTenant("2027-01-31 06:00:00 +0000 UTC", "2027-01-31 06:00:00 +0000 UTC"),
    where: at(2, 79),
  },
  {
    mistake: "waves that go down",
    yaml: rollout("waves: [{ percent: 50 }, { percent: 10 }, { percent: 100 }]"),
    where: at(7, 45),
  },
  { mistake: "waves that do not end at 100", yaml: rollout("waves: [{ percent: 10 }]"), where: at(7, 28) },
  {
    mistake: "an unknown tenant in a wave",
    yaml: rollout("waves: [{ tenants: [amce] }, { percent: 100 }]"),
    where: at(7, 38),
  },
  {
    mistake: "a tenant in two waves",
    yaml: rollout("waves: [{ tenants: [acme] }, { tenants: [acme] }, { percent: 100 }]"),
    where: at(7, 59),
  },
  {
    mistake: "an excluded tenant in a wave",
    yaml: rollout("waves: [{ tenants: [acme] }, { percent: 100 }], exclude: [acme]"),
    where: at(7, 38),
  },
  {
    mistake: "a channel as the target of a rollout",
    yaml: rollout("waves: [{ percent: 100 }]").replace("tag: v1", "channel: Latest"),
    where: at(5, 30),
  },
  {
    mistake: "a rollout without a target",
    yaml: rollout("waves: [{ percent: 100 }]").replace("release: { tag: v1 }", "paused: false"),
    where: at(7, 7),
  },
  {
    mistake: "an override of a tenant that is not there",
    yaml: fleet(
      "integration: crm, overrides: { paused: true, reason: INC-42, tenants: [acme] }, tenants: { dune: {} }",
    ),
    where: at(3, 87),
  },
  {
    mistake: "an override of an integration without tenants",
    yaml: `${config("overrides", "{ paused: true, reason: INC-42, integration: crn }")}  integration-platform:tenants: { acme: { integration: crm } }\n`,
    where: at(2, 67),
  },
  {
    mistake: "a window that never opens",
    yaml: rollout('waves: [{ percent: 100 }], windows: ["0 0 30 2 *"]'),
    where: at(7, 55),
  },
  {
    mistake: "a time zone that does not exist",
    yaml: rollout("waves: [{ percent: 100 }], timeZone: Mars"),
    where: at(7, 45),
  },
  {
    mistake: "a day that does not exist",
    yaml: rollout("waves: [{ percent: 100 }], freeze: [{ from: 2026-02-30, to: 2026-03-02 }]"),
    where: at(7, 56),
  },
  {
    mistake: "an approval for a wave that is not there",
    yaml: rollout("waves: [{ percent: 100 }], approvals: { v1: { early: CHG-1 } }"),
    where: at(7, 64),
  },
  {
    mistake: "an invalid network",
    yaml: config("webhookReceiver", `{ tokens: [{ secure: "${cipher}" }], allowedSources: [192.0.2.0/33] }`),
    where: at(2, 130),
  },
  {
    mistake: "a misspelt namespace",
    yaml: "config: { integration-platfrom:tenants: {} }\n",
    where: at(1, 11),
    isBeforeProgram: true,
  },
  { mistake: "an unknown group", yaml: tenants("    acme: { groups: gold }"), where: at(4, 13) },
  {
    mistake: "an unknown group in a file of tenants",
    yaml: fleet("integration: crm, groups: { gold: {} }, tenantsFrom: x.yaml"),
    files: { "x.yaml": "acme: { groups: [gold, glod] }\n" },
    where: "x.yaml:1:24",
  },
  {
    mistake: "a setting that a file may not declare",
    yaml: fleet("integration: crm, tenantsFrom: { path: x.yaml, fields: [schedule] }"),
    files: { "x.yaml": "acme: { paused: true }\n" },
    where: "x.yaml:1:9",
  },
  {
    mistake: "a field in two files of tenants",
    yaml: fleet(
      "integration: crm, tenantsFrom: [{ path: one.yaml, fields: [paused] }, { path: two.yaml, fields: [paused] }]",
    ),
    files: { "one.yaml": "acme: { paused: true }\n", "two.yaml": "acme: { paused: true }\n" },
    where: "two.yaml:1:9",
  },
  {
    mistake: "a field that is no setting",
    yaml: fleet("integration: crm, tenantsFrom: { path: x.yaml, fields: [payed] }"),
    where: at(3, 72),
  },
  {
    mistake: "a key in two files of tenants",
    yaml: fleet("integration: crm, tenantsFrom: [one.yaml, two.yaml]"),
    files: { "one.yaml": "acme: {}\n", "two.yaml": "acme: {}\n" },
    where: "two.yaml:1:1",
  },
];

/** Mistakes of the YAML itself, which every reader of YAML refuses. */
const syntax: Omit<BrokenStack, "isInSchema">[] = [
  { mistake: "a tab", yaml: "config:\n\tintegration-platform:tenants: {}\n", where: at(2, 1) },
  { mistake: "a key twice", yaml: tenants("    acme: {}\n    acme: {}"), where: at(5, 5) },
  {
    mistake: "a wrong indentation",
    yaml: tenants("    acme:\n      paused: true\n     schedule: none"),
    where: at(6, 1),
  },
  { mistake: "a bracket that is not closed", yaml: config("tenants", "{ acme: {}"), where: at(3, 1) },
].map((broken) => ({ ...broken, isBeforeProgram: true }));

export const brokenStacks: readonly BrokenStack[] = [
  ...shapes.map((broken) => ({ ...broken, isInSchema: true })),
  ...[...others, ...syntax].map((broken) => ({ ...broken, isInSchema: false })),
];
