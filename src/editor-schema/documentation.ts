import type { stackFileKeys } from "../stack/config/layout-problems.ts";
import type { OverrideEntry } from "../stack/declarations/overrides-schema.ts";
import type {
  BuildEntry,
  FleetEntry,
  FleetTenantEntry,
  StackSettings,
  SyncEntry,
  TenantEntry,
} from "../stack/declarations/schema.ts";
import type { TenantsSource } from "../stack/declarations/tenants-from.ts";

/** What an editor shows of a key. */
export interface KeyDocumentation {
  description: string;
  default?: unknown;
  examples?: readonly unknown[];
}

/** The documentation of all keys of an object. The compiler asks for a key that is missing here, and refuses one too many. */
export type DocumentationOf<Value> = { readonly [Key in keyof Required<Value>]: KeyDocumentation };

type Receiver = NonNullable<StackSettings["webhookReceiver"]>;

/** The keys of a stack's file, which Pulumi reads. */
export const stackFileDocumentation: Record<(typeof stackFileKeys)[number], KeyDocumentation> = {
  config: { description: "The values of the stack, by namespace and key." },
  environment: { description: "Environments of Pulumi ESC that add to the config." },
  secretsprovider: {
    description: "What encrypts the stack's secrets: a passphrase, or a key of a cloud. Set by Pulumi.",
  },
  encryptedkey: { description: "The key of the stack's secrets, encrypted by the cloud's key. Set by Pulumi." },
  encryptionsalt: { description: "The salt of the stack's passphrase. Set by Pulumi." },
};

/** The keys of the namespace `integration-platform`. */
export const stackDocumentation: DocumentationOf<StackSettings> = {
  baseUrl: {
    description:
      "Base address of the platform. INTEGRATION_PLATFORM_BASE_URL overrides it, with a warning if they differ. If the address is not that of the last `up`, every command fails.",
    examples: ["https://platform.example.com"],
  },
  apiKey: {
    description:
      "API key, a secret: `pulumi config set --secret integration-platform:apiKey`. INTEGRATION_PLATFORM_API_KEY overrides it, so that a rotated key takes effect immediately.",
  },
  allowInsecureHttp: { description: "Hosts other than loopback that may be called over plain http. Default: none." },
  connectedStatuses: {
    description:
      "More words in `status.auth.connectors[].status` that mean connected on this platform, in addition to the built-in ones. Default: none.",
  },
  notConnectedStatuses: {
    description:
      "More words in `status.auth.connectors[].status` that mean not connected on this platform, in addition to the built-in ones. Default: none.",
  },
  succeededStatuses: {
    description:
      "More words in the status of a run that mean success on this platform, in addition to the built-in ones. Commands and resources know them; those of a `sync` or a `gate` take precedence. Default: none.",
  },
  failedStatuses: {
    description:
      "More words in the status of a run that mean failure on this platform, in addition to the built-in ones. Commands and resources know them; those of a `sync` or a `gate` take precedence. Default: none.",
  },
  provider: {
    description:
      'Who runs the code of the resources. "dynamic": Pulumi\'s host of dynamic providers, with nothing to install. "native": the provider plugin, which starts sooner and keeps a smaller state. A change moves all resources at the next `up` and changes nothing on the platform. See docs/guides/native.md.',
    default: "dynamic",
  },
  resolvers: {
    description:
      "Own resolvers of secrets, by scheme: modules that export `resolve`, relative to the folder of Pulumi.yaml. `env:`, `file:`, `aws-secretsmanager:` and `vault:` need none. See docs/guides/secrets.md.",
    examples: [{ op: "./resolvers/op.mjs" }],
  },
  allowPlaintextSecrets: {
    description:
      "Settings that may be plaintext although the release's schema marks them as secrets (`format: password`, `writeOnly`). With `apiKey`, `validate` does not warn of a plaintext key. Default: none.",
    examples: [["configs.api_token"]],
  },
  schemaViolations: {
    description:
      'What a config or metadata value is that violates the schema of its release. "error": previews and `up` refuse it. "warn": they warn of it, and `up` writes it; the platform may still refuse it. "off": `up` writes it without a word. A fleet or a tenant can say otherwise.',
    default: "error",
  },
  testTenants: {
    description:
      "Names of the tenants that `integration-platform try` may lend itself to try a release, besides those whose names begin with `test-`. See docs/guides/releases.md.",
    examples: [["acme-test"]],
  },
  promoteRequires: {
    description:
      "What must be proven before `integration-platform promote --to` this stack changes its file: a condition on `tenants`, `syncs` and `failures` of the release where it was tried. See docs/guides/releases.md.",
    examples: ["tenants >= 3 and syncs >= 10 and failures == 0"],
    default: "tenants >= 1 and syncs >= 1 and failures == 0",
  },
  platform: {
    description:
      "The profile of the platform: a JSON file with what `integration-platform calibrate` has measured of it, relative to the folder of Pulumi.yaml. Default: none; each question that the specification leaves open then has one safe rule. See docs/guides/real-platform.md.",
    examples: ["platform.production.json"],
  },
  allowNoTenants: {
    description:
      "Whether the stack may declare no tenants although its state has some, so that `up` archives them all. Otherwise this is an error, because such a config is mostly that of another stack or in a misspelt namespace. Remove it after that `up`. See docs/decisions/no-tenants-is-a-mistake.md.",
    default: false,
  },
  tenantDefaults: {
    description:
      "Defaults for all settings of `tenants` except `name` and `aliases`. `configs` and `metadata` are merged with those of the tenant at every depth; the tenant replaces all other settings.",
  },
  groups: {
    description:
      "Groups of tenants that share settings, by name. The tenants that name a group in their `groups` have its settings: beneath their own, and above `tenantDefaults`. `configs` and `metadata` are merged at every depth. The groups of a fleet's tenants are in the fleet.",
    examples: [{ gold: { configs: { batch_size: 1000 } } }],
  },
  builds: {
    description: "Releases to build, by key. A tenant runs one with `release: { build: <key> }`.",
    examples: [{ v14: { integration: "crm-to-billing", tag: "v1.4.0" } }],
  },
  tenants: {
    description:
      "The tenants, by key. The key is the name of the resource, and of the tenant unless `name` says otherwise.",
    examples: [{ acme: { integration: "crm-to-billing", paused: false, configs: { region: "eu" } } }],
  },
  fleets: {
    description: "Many tenants of an integration in one resource, by key.",
    examples: [
      { billing: { integration: "crm-to-billing", tenants: { acme: { paused: false, configs: { region: "eu" } } } } },
    ],
  },
  overrides: {
    description:
      "Pauses tenants for a while, whatever they declare: one override, or a list. Of several that cover a tenant, the one that ends last counts. See docs/guides/overrides.md.",
    examples: [{ paused: true, reason: "INC-42", integration: "crm-to-billing" }],
  },
  webhookReceiver: { description: "A receiver of the platform's webhooks on AWS. See docs/guides/receiver.md." },
};

/** The settings of a tenant. */
export const tenantDocumentation: DocumentationOf<TenantEntry & FleetTenantEntry> = {
  integration: {
    description: "Name or id of the integration. A change archives the tenant, and then creates another.",
  },
  name: {
    description:
      "Name of the tenant: at most 63 lowercase letters, digits and `-`. Default: the key. A change renames the tenant in place.",
  },
  schedule: {
    description:
      "Cron schedule of five fields, in UTC. \"none\" clears the tenant's own schedule; the integration's schedule then applies. Default: not managed.",
    examples: ["0 */6 * * *", "none"],
  },
  release: {
    description:
      "Release to run: `{ id }`, `{ tag }`, `{ channel }`, or `{ build }` for a release that this stack builds. When a channel moves to another release, that is no drift. Default: not managed.",
    examples: [{ tag: "v1.0.0" }, { channel: "Latest" }, { channel: "Default" }],
  },
  paused: {
    description:
      "Whether the tenant is paused. false resumes the tenant, after all its other settings are applied. Default: not managed; new tenants are paused.",
  },
  configs: {
    description:
      "Config keys, checked against the config schema of the release. Each declared key is managed; undeclared keys are not changed. Set a secret with `pulumi config set --secret --path`.",
  },
  metadata: {
    description: "Metadata keys, checked against the metadata schema of the release and managed like `configs`.",
  },
  adopt: {
    description:
      'What a create does if a live tenant of that name exists. "safe": take it over only if it matches what this resource would create. "never": fail. true: take it over and apply the declared settings. An id: take over the tenant with that id.',
    default: "safe",
  },
  forceArchive: {
    description:
      "Whether the tenant may be archived while it is connected. Run `up` with it before you remove the tenant.",
    default: false,
  },
  schemaViolations: {
    description:
      'What a value of the tenant is that violates the schema of its release: "error", "warn" or "off". Default: what the fleet or the stack says.',
  },
  retainOnDelete: {
    description:
      "true leaves the tenant on the platform when it is removed here. Run `up` with it before you remove the tenant.",
    default: false,
  },
  aliases: {
    description:
      "Keys that the tenant had before. With its former key here, a tenant whose key changes is not archived.",
  },
  groups: {
    description:
      "Groups whose settings the tenant has, beneath its own and above the defaults: a name, or a list of names. If several groups have a setting, the first one wins.",
    examples: ["gold", ["gold", "eu"]],
  },
  sync: {
    description:
      "A sync of the tenant, at the first `up` and again when one of the settings in `on` or the string in `when` changes.",
    examples: [{ mode: "init", on: ["configs", "release"] }],
  },
};

/** The ways to select a release. */
export const releaseDocumentation: DocumentationOf<NonNullable<TenantEntry["release"]>> = {
  id: { description: "Id of the release." },
  tag: { description: "Tag of the release." },
  channel: { description: "`Default` follows the integration's default release, `Latest` the newest one." },
  build: { description: "Key of one of the stack's `builds`." },
};

/** The settings of a sync. */
export const syncDocumentation: DocumentationOf<SyncEntry> = {
  mode: { description: "Mode of the sync." },
  on: { description: "Settings: when one of them changes, the sync runs again." },
  when: { description: "Any string: when it changes, the sync runs again." },
  payload: { description: "Body of the request. Its meaning depends on the integration." },
  wait: { description: "Whether to wait for the run to end.", default: true },
  timeoutSeconds: { description: "How long to wait.", default: 1500 },
  whenUnconnected: {
    description:
      "What to do if a connector of the tenant is not connected; such a tenant cannot sync. A skipped sync runs at the first `up` that finds the tenant connected.",
    default: "skip",
  },
  succeededStatuses: { description: "Status words that mean success, in addition to the built-in ones." },
  failedStatuses: { description: "Status words that mean failure, in addition to the built-in ones." },
  failOnError: {
    description: "Whether a failed run fails the `up`. If it does, the next `up` tries again.",
    default: true,
  },
};

/** The settings of a build. */
export const buildDocumentation: DocumentationOf<BuildEntry> = {
  integration: { description: "Name or id of the integration." },
  tag: { description: "Tag of the release. No release of the integration may have it yet." },
  branch: { description: "Branch to build. Default: the integration's tracking branch." },
  adopt: { description: "Whether to use an existing release with this tag.", default: false },
  timeoutSeconds: {
    description:
      "How long to wait. If the build takes longer, the next `up` waits for it and does not request a second one.",
    default: 900,
  },
};

/** The settings of a fleet. */
export const fleetDocumentation: DocumentationOf<FleetEntry> = {
  integration: {
    description: "Name or id of the integration. A change archives the tenants, and then creates others.",
  },
  defaults: {
    description: "Defaults for each tenant of the fleet. `configs` and `metadata` are merged at every depth.",
  },
  groups: {
    description:
      "Groups of tenants that share settings, by name. The tenants that name a group in their `groups` have its settings: beneath their own, and above `defaults`. A group's `release` is a release of the tenants' own, which a rollout does not change.",
    examples: [{ gold: { configs: { batch_size: 1000 } } }],
  },
  tenants: { description: "The tenants, by key. They are merged over those of the files." },
  tenantsFrom: {
    description:
      "Files of tenants by key, or folders with a file for each tenant, relative to the folder of Pulumi.yaml. With `{ path, fields }`, only the listed fields may be declared there, and several files can declare different fields of one tenant. See docs/guides/customers.md.",
    examples: ["tenants/billing.yaml", [{ path: "customers", fields: ["metadata", "schedule"] }]],
  },
  adopt: { description: "Default for tenants that don't set it.", default: "safe" },
  forceArchive: { description: "Default for tenants that don't set it.", default: false },
  schemaViolations: { description: "Default for tenants that don't set it. Default: what the stack says." },
  retainOnDelete: {
    description: "Default for tenants that don't set it: whether a tenant stays on the platform when it is removed.",
    default: false,
  },
  limits: {
    description:
      "The most tenants that an update may archive or change. `up` refuses an update above a limit; `preview`, `refresh` and `drift` only warn. INTEGRATION_PLATFORM_ALLOW_LIMITS=1 lifts the limits for one run.",
    examples: [{ archive: 5, change: "20%" }],
  },
  sync: { description: "A sync of each tenant. A tenant's own `sync` overrides parts of it." },
  syncConcurrency: { description: "How many syncs run at the same time.", default: 10 },
  rollout: {
    description:
      "How `defaults.release` goes from tenant to tenant, in waves. A tenant with a `release` of its own is not part of it. See docs/guides/rollouts.md.",
    examples: [{ waves: [{ name: "canary", tenants: ["acme"] }, { percent: 10 }, { percent: 100 }] }],
  },
  overrides: {
    description:
      "Pauses tenants of the fleet for a while, whatever they declare: one override, or a list. Of several that cover a tenant, the one that ends last counts. See docs/guides/overrides.md.",
    examples: [{ paused: true, reason: "INC-42", until: "2026-11-24T06:00:00Z" }],
  },
  aliases: { description: "Keys that the fleet had before. With its former key here, its tenants are not archived." },
};

/** The settings of an override. */
export const overrideDocumentation: DocumentationOf<OverrideEntry> = {
  paused: {
    description:
      "true pauses the tenants; they are neither synced nor moved by a rollout. When the override ends, a tenant gets the `paused` that it declares; one that declares none is resumed if it ran before.",
  },
  reason: { description: "Why: for example the number of the incident. Previews and messages show it." },
  until: {
    description: "When it ends by itself, at the next `up` after it. Default: when it is removed here.",
    examples: ["2026-11-24T06:00:00Z"],
  },
  tenants: { description: "Names or keys of the tenants to pause. Default: all." },
  integration: { description: "Name or id of the integration whose tenants are paused. Default: all." },
};

/** An item of a fleet's `tenantsFrom`. */
export const tenantsSourceDocumentation: DocumentationOf<TenantsSource> = {
  path: { description: "A file of tenants by key, or a folder with a file for each tenant." },
  fields: {
    description:
      "What may be declared there: settings of tenants, and keys of `configs` and `metadata` at any depth. Default: all settings.",
    examples: [["metadata", "schedule", "configs.batch_size"]],
  },
};

/** The limits of a fleet. */
export const limitsDocumentation: DocumentationOf<NonNullable<FleetEntry["limits"]>> = {
  archive: {
    description: "The most tenants to archive: a number, or a percentage of the fleet's tenants, rounded up.",
    examples: [5, "20%"],
  },
  change: {
    description: "The most tenants to change: a number, or a percentage of the fleet's tenants, rounded up.",
    examples: [50, "20%"],
  },
};

/** The settings of the webhook receiver. */
export const receiverDocumentation: DocumentationOf<Receiver> = {
  tokens: {
    description:
      "One token, or two while one replaces the other, the newest first: at least 32 random letters, digits, `-` and `_`. Generate them with `openssl rand -hex 32`. They must be secrets.",
  },
  platform: {
    description:
      "The platform that sends the webhooks; the receiver reads its tenants. Default: the stack's platform and API key.",
  },
  reconciliation: {
    description:
      "How the receiver finds tenants that were created or archived without a webhook. false turns it off. Default: on.",
    examples: [{ everyMinutes: 60, graceSeconds: 900 }],
  },
  allowedSources: { description: "Addresses and networks that may send webhooks (IPv4, IPv6, CIDR). Default: all." },
  alarmTopicArn: {
    description: "The SNS topic that the alarms notify when they start and end. Default: the alarms notify nobody.",
  },
  silenceHours: {
    description: "Raise an alarm after this many hours without an event, at most 168. Recommended: 24. Default: never.",
    examples: [24],
  },
  logRetentionDays: { description: "How long CloudWatch retains the functions' logs, in days.", default: 30 },
  ledgerRetentionDays: {
    description: "How long the ledger retains events, in days, from 30 to 3650. Default: for ever.",
    examples: [400],
  },
  archiveDays: {
    description: "How long the archive of the bus retains events, in days. 0: the bus has no archive.",
    default: 30,
  },
  deletionProtection: {
    description:
      "Pulumi deletes neither the ledger, the queues, the acknowledging function nor its URL, and AWS does not delete the ledger. Deploy false before `destroy`.",
    default: true,
  },
  reservedConcurrency: {
    description:
      "Concurrent invocations that AWS reserves for the acknowledging function, which are also its limit. Default: none.",
  },
  consumerConcurrency: {
    description:
      "Concurrent invocations of the consuming function at most, from 2 to 1000. They count against the account's concurrency.",
    default: 2,
  },
  restApi: {
    description:
      "A REST API with throttling in front of the acknowledging function. Default: the function's own URL is public.",
    examples: [{ requestsPerSecond: 100, burst: 200 }],
  },
  onEvent: {
    description:
      "What gets events from the bus, by names of at most 32 lowercase letters, digits and hyphens. See docs/guides/receiver.md.",
    examples: [
      {
        "on-call": { eventTypes: ["run_failed"], targetArn: "arn:aws:sns:eu-central-1:123456789012:on-call" },
      },
    ],
  },
};

/** The settings of the receiver's platform. */
export const platformDocumentation: DocumentationOf<NonNullable<Receiver["platform"]>> = {
  baseUrl: { description: "Base URL of the platform. AWS must be able to reach it. Default: that of the stack." },
  apiKey: {
    description:
      "API key of the platform, a secret. It only needs the permissions to read tenants and integrations. Default: that of the stack.",
  },
};

/** The settings of the receiver's reconciliation. */
export const reconciliationDocumentation: DocumentationOf<Exclude<NonNullable<Receiver["reconciliation"]>, false>> = {
  everyMinutes: { description: "How often to list the tenants, in minutes.", default: 60 },
  graceSeconds: {
    description: "How long a webhook may lag behind the list of tenants before it counts as lost, in seconds.",
    default: 900,
  },
  maximumEvents: {
    description: "How many events a sweep may publish. A sweep that finds more publishes none and raises an alarm.",
    default: 50,
  },
};

/** The settings of the receiver's REST API. */
export const restApiDocumentation: DocumentationOf<NonNullable<Receiver["restApi"]>> = {
  requestsPerSecond: {
    description: "Requests a second that the API accepts; it answers the others with 429.",
    default: 100,
  },
  burst: { description: "Requests that the API accepts at once.", default: 200 },
  webAclArn: { description: "The web ACL of AWS WAF that filters the requests. Default: none." },
  domain: { description: "A domain of your own for the webhook URL. Default: the API has a name of AWS." },
};

/** The settings of the REST API's domain. */
export const domainDocumentation: DocumentationOf<NonNullable<NonNullable<Receiver["restApi"]>["domain"]>> = {
  name: { description: "The host name. Create the DNS record that leads to the API yourself." },
  certificateArn: { description: "The host's certificate in AWS Certificate Manager, in the receiver's region." },
};

/** The settings of a subscription to the receiver's bus. */
export const subscriptionDocumentation: DocumentationOf<NonNullable<Receiver["onEvent"]>[string]> = {
  eventTypes: { description: "Types of events, `unknown` or `malformed`; or `all`." },
  targetArn: { description: "A Lambda function, an SNS topic or an SQS queue that gets the events." },
};
