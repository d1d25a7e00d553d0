import type { z } from "zod";
import {
  declaredPlatformSchema,
  domainSchema,
  reconciliationSchema,
  restApiSchema,
  subscriptionNameSchema,
  subscriptionSchema,
  webhookReceiverSchema,
} from "../receiver/schema.ts";
import { detailTypes } from "../receiver/subscribed-types.ts";
import { fleetOverrideSchema, stackOverrideSchema } from "../stack/declarations/overrides-schema.ts";
import { rolloutSchema } from "../stack/declarations/rollout-schema.ts";
import { fleetSchema, fleetTenantSchema, stackSchema, tenantEntrySchema } from "../stack/declarations/schema.ts";
import { tenantsSourceSchema } from "../stack/declarations/tenants-from.ts";
import {
  buildDocumentation,
  domainDocumentation,
  fleetDocumentation,
  limitsDocumentation,
  overrideDocumentation,
  platformDocumentation,
  receiverDocumentation,
  reconciliationDocumentation,
  releaseDocumentation,
  restApiDocumentation,
  subscriptionDocumentation,
  syncDocumentation,
  tenantDocumentation,
  tenantsSourceDocumentation,
} from "./documentation.ts";
import {
  byKey,
  definition,
  documentedObject,
  type JsonSchema,
  jsonSchemaOf,
  oneOrMore,
  orSecret,
  type Properties,
} from "./json-schema.ts";
import {
  freezeDocumentation,
  gateDocumentation,
  rolloutDocumentation,
  waveDocumentation,
} from "./rollout-documentation.ts";

const { shape: fleetShape } = fleetSchema;
const { shape: rolloutShape } = rolloutSchema;
const { shape: tenantShape } = tenantEntrySchema;

/** An object of keys that the release's schema names, with secrets at any depth. */
const freeForm = { type: "object", additionalProperties: definition("value") };
/** The same in a file of tenants, which Pulumi does not decrypt. */
const plainFreeForm = { type: "object", additionalProperties: definition("plainValue") };

const settings = { release: definition("release"), sync: definition("sync"), configs: freeForm, metadata: freeForm };
const fleetSettings = { ...settings, sync: definition("fleetTenantSync") };
const plainSettings = {
  ...fleetSettings,
  sync: definition("plainSync"),
  configs: plainFreeForm,
  metadata: plainFreeForm,
};

const day = "\\d{4}-\\d{2}-\\d{2}";
const time = "\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?";
/** A time with its offset from UTC, as a user writes it or as the engine writes it into the file. */
const until = { type: "string", pattern: `^${day}(T${time}(Z|[+-]\\d{2}:\\d{2})| ${time} [+-]\\d{4} \\S+)$` };
const overrideParts = { until };
const syncParts = { payload: freeForm, when: orSecret({ type: "string" }) };

/** What an encrypted value looks like: `{ secure: <cipher> }`. Ciphers of a passphrase or a cloud's key begin with "v1:". */
const secret = {
  type: "object",
  properties: {
    secure: {
      type: "string",
      description: "The value, encrypted by `pulumi config set --secret --path`.",
      pattern: "^(v1:[A-Za-z0-9+/]{16}:[A-Za-z0-9+/]{22,}={0,2}|[A-Za-z0-9+/]+={0,2})$",
      // A keyword of editors.
      patternErrorMessage:
        "This is not a whole encrypted value. Set it again with `pulumi config set --secret --path`.",
    },
  },
  required: ["secure"],
  additionalProperties: false,
};

/** A reference to a secret, and the escape of a value that looks like one. */
const reference = {
  anyOf: [
    {
      type: "object",
      properties: {
        ref: {
          type: "string",
          description:
            "Where the secret is, such as `env:ACME_TOKEN` or `vault:secret/acme#api_token`. See docs/guides/secrets.md.",
          pattern: "^[a-z][a-z0-9+.-]*:.+",
        },
        version: {
          type: ["string", "integer"],
          description: "The resolver's version where it has versions. A change writes the value again.",
        },
      },
      required: ["ref"],
      additionalProperties: false,
    },
    { type: "object", required: ["literal"], maxProperties: 1 },
  ],
};

const isSecret = {
  type: "object",
  properties: { secure: { type: "string" } },
  required: ["secure"],
  maxProperties: 1,
};

function valueWith(ofSecret: JsonSchema, name: string): JsonSchema {
  const inner = definition(name);
  return { if: isSecret, then: ofSecret, else: { additionalProperties: inner, items: inner } };
}

/** The definitions that the schemas of stacks and of files of tenants share. */
export const definitions: Properties = {
  secret,
  reference,
  value: valueWith(definition("secret"), "value"),
  plainValue: valueWith({ not: {} }, "plainValue"),
  // A release is selected in exactly one way.
  release: {
    ...documentedObject(inner(tenantShape.release), releaseDocumentation),
    minProperties: 1,
    maxProperties: 1,
  },
  sync: documentedObject(inner(tenantShape.sync), syncDocumentation, syncParts),
  fleetTenantSync: documentedObject(inner(fleetTenantSchema.shape.sync), syncDocumentation, syncParts),
  plainSync: documentedObject(inner(fleetTenantSchema.shape.sync), syncDocumentation, { payload: plainFreeForm }),
  tenantDefaults: documentedObject(inner(stackSchema.shape.tenantDefaults), tenantDocumentation, settings),
  group: documentedObject(inner(stackSchema.shape.groups).valueType, tenantDocumentation, settings),
  tenant: documentedObject(tenantEntrySchema, tenantDocumentation, settings),
  fleetTenant: documentedObject(fleetTenantSchema, tenantDocumentation, fleetSettings),
  fileTenant: documentedObject(fleetTenantSchema, tenantDocumentation, plainSettings),
  fleetDefaults: documentedObject(inner(fleetShape.defaults), tenantDocumentation, settings),
  fleetGroup: documentedObject(inner(fleetShape.groups).valueType, tenantDocumentation, fleetSettings),
  tenantsSource: { anyOf: [{ type: "string" }, documentedObject(tenantsSourceSchema, tenantsSourceDocumentation)] },
  limits: documentedObject(inner(fleetShape.limits), limitsDocumentation),
  wave: {
    ...documentedObject(rolloutShape.waves.element, waveDocumentation),
    oneOf: [{ required: ["tenants"] }, { required: ["percent"] }],
  },
  gate: documentedObject(inner(rolloutShape.gate), gateDocumentation),
  freeze: documentedObject(inner(rolloutShape.freeze).element, freezeDocumentation),
  rollout: documentedObject(rolloutSchema, rolloutDocumentation, {
    waves: { type: "array", items: definition("wave"), minItems: 1 },
    gate: definition("gate"),
    freeze: { type: "array", items: definition("freeze") },
  }),
  override: documentedObject(stackOverrideSchema, overrideDocumentation, overrideParts),
  fleetOverride: documentedObject(fleetOverrideSchema, overrideDocumentation, overrideParts),
  fleet: documentedObject(fleetSchema, fleetDocumentation, {
    defaults: definition("fleetDefaults"),
    groups: { ...byKey(definition("fleetGroup")), type: "object" },
    tenants: { ...byKey(definition("fleetTenant")), type: "object" },
    tenantsFrom: { anyOf: [definition("tenantsSource"), { type: "array", items: definition("tenantsSource") }] },
    limits: definition("limits"),
    sync: definition("sync"),
    rollout: definition("rollout"),
    overrides: oneOrMore(definition("fleetOverride")),
  }),
  build: documentedObject(inner(stackSchema.shape.builds).valueType, buildDocumentation),
  reconciliation: documentedObject(reconciliationSchema, reconciliationDocumentation),
  receiverPlatform: documentedObject(declaredPlatformSchema, platformDocumentation, {
    apiKey: definition("secret"),
  }),
  restApi: documentedObject(restApiSchema, restApiDocumentation, {
    domain: documentedObject(domainSchema, domainDocumentation),
  }),
  subscription: documentedObject(subscriptionSchema, subscriptionDocumentation, {
    eventTypes: {
      anyOf: [{ const: "all" }, { type: "array", items: { type: "string", enum: detailTypes }, minItems: 1 }],
    },
  }),
  webhookReceiver: documentedObject(webhookReceiverSchema, receiverDocumentation, {
    tokens: { type: "array", items: definition("secret"), minItems: 1, maxItems: 2 },
    platform: definition("receiverPlatform"),
    reconciliation: { anyOf: [{ const: false }, definition("reconciliation")] },
    restApi: definition("restApi"),
    onEvent: {
      type: "object",
      propertyNames: jsonSchemaOf(subscriptionNameSchema),
      additionalProperties: definition("subscription"),
    },
    alarmTopicArn: orSecret({ type: "string", pattern: "^arn:[\\w-]+:sns:" }),
  }),
};

/** The schema of a value that is not absent. */
function inner<Inner extends z.ZodType>(optional: z.ZodOptional<Inner>): Inner {
  return optional.unwrap();
}
