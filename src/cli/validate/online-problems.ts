import { ApiError, ConfigurationError } from "../../api/index.ts";
import { requiredFacts } from "../../connection/platform-facts.ts";
import type { ReleaseSchema } from "../../json-schema/index.ts";
import { createOperationContext, type OperationContext } from "../../operation/operation-context.ts";
import { withSource } from "../../stack/checks/address-problems.ts";
import { preflightProblems } from "../../stack/checks/preflight.ts";
import { type Problem, withoutConsequences } from "../../stack/config/problems.ts";
import { isRolloutKnown, isTargetKnown, namedTenants } from "../../stack/declarations/named-tenant.ts";
import type { Shell } from "../shell.ts";
import { clientOf, type StackOfFile } from "../stack-file.ts";

interface OnlineProblems {
  problems: Problem[];
  /** Why something could not be compared with the platform. */
  failures: string[];
}

/** Compares a stack with the platform that the environment or the stack's file names. Only reads. */
export async function onlineProblems(
  { env }: Pick<Shell, "env">,
  stack: StackOfFile,
  warn: (message: string) => void,
): Promise<OnlineProblems> {
  const { name, config, settings, declarations, problems: known } = stack;
  const { builds = {}, allowPlaintextSecrets = [] } = settings;
  const declared = [...declarations.standalone, ...declarations.fleets.flatMap((fleet) => fleet.tenants)];
  const named = declared.flatMap(namedTenants);
  const tenants = named.filter((tenant) => isTargetKnown(tenant, known));
  const rollouts = declarations.fleets.map(({ fleet }) => fleet).filter((fleet) => isRolloutKnown(fleet, known));
  try {
    const client = clientOf({ env }, stack, warn);
    try {
      const context = createOperationContext({
        client,
        warn: (message) => warn(`${name}: ${message}`),
        ...requiredFacts(stack.stackConfig.textOf, {
          environment: env,
          directory: stack.directory,
          baseUrl: client.baseUrl,
        }),
      });
      const { watched, schemas } = watch(context);
      const subject = {
        tenants,
        rollouts,
        builds,
        declarations,
        allowPlaintextSecrets: [allowPlaintextSecrets].flat(),
        config,
      };
      const { problems } = await preflightProblems(watched, subject);
      const isIncomplete = [...schemas].some((schema) => schema.hasSkippedChecks());
      const failures = isIncomplete ? [`${name}: a schema of a release cannot be checked; the warning says why`] : [];
      return { problems: withoutConsequences(problems, known), failures };
    } finally {
      await client.close();
    }
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof ConfigurationError)) throw error;
    return {
      problems: [],
      failures: [`${name} cannot be compared with the platform: ${withSource(error, stack.config, env)}`],
    };
  }
}

/** The context, and the schemas that it has handed out. */
function watch(context: OperationContext): { watched: OperationContext; schemas: ReadonlySet<ReleaseSchema> } {
  const schemas = new Set<ReleaseSchema>();
  const seen = (schema: ReleaseSchema) => {
    schemas.add(schema);
    return schema;
  };
  return {
    schemas,
    watched: {
      ...context,
      configSchemaOf: (release) => seen(context.configSchemaOf(release)),
      metadataSchemaOf: (release) => seen(context.metadataSchemaOf(release)),
    },
  };
}
