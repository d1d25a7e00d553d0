import { z } from "zod";
import { lenient } from "../../inputs/lenient.ts";
import type { ConfigNode } from "../config/config-node.ts";
import type { StackConfig } from "../config/config-values.ts";
import { type Problem, schemaProblems, withoutConsequences } from "../config/problems.ts";
import { type Declarations, readDeclarations } from "../declarations/declarations.ts";
import { writtenRelation } from "../declarations/override-for.ts";
import { stackSchema } from "../declarations/schema.ts";
import { readYamlFile } from "../yaml/yaml-file.ts";
import { addressProblems } from "./address-problems.ts";
import { crossChecks, misusedAliases } from "./cross-checks.ts";
import { overrideProblems } from "./override-problems.ts";
import { profileProblems } from "./profile-problems.ts";
import { receiverSecrets } from "./receiver-secrets.ts";
import { rolloutProblems } from "./rollout-problems.ts";
import { secretReferenceProblems } from "./secret-references.ts";

/** What a stack's config declares, and all that is wrong with it as far as that can be known without a request. */
export interface CheckedConfig {
  config: ConfigNode;
  /** The keys of the namespace. What does not fit the schema is absent, and so is what has an encrypted part. */
  settings: z.infer<typeof stackSchema>;
  declarations: Declarations;
  problems: readonly Problem[];
}

interface CheckOptions {
  /** Reads a file of tenants. */
  readFile?: typeof readYamlFile;
  /** Default: that of the process. */
  environment?: NodeJS.ProcessEnv;
}

/**
 * Checks a stack's config and the files of tenants that it names. The program and the command `validate` find the same
 * problems, but in a config without the engine's values, nothing is said about encrypted ones. And if keys were not read, only
 * the form of each value is checked: what seems to be missing may be in one of them.
 *
 * @param directory the folder of Pulumi.yaml.
 */
export function checkConfig(
  { root: config, problems, hasUnreadKeys }: StackConfig,
  directory: string,
  { readFile = readYamlFile, environment = process.env }: CheckOptions = {},
): CheckedConfig {
  const parsed = stackSchema.safeParse(config.value);
  const declarations = readDeclarations(config, directory, readFile);
  const { standalone, fleets, problems: entryProblems } = declarations;
  const tenants = [...standalone, ...fleets.flatMap((fleet) => fleet.tenants)];
  const shapeProblems = [...schemaProblems(parsed.error, stackSchema, config), ...entryProblems];
  const builds = Object(config.part("builds")?.value);
  const others = [
    ...crossChecks(tenants, Object.keys(builds)),
    ...misusedAliases(
      fleets.map(({ fleet }) => fleet),
      "fleet",
    ),
    ...rolloutProblems(declarations, builds),
    ...overrideProblems({ ...declarations, config, problems: shapeProblems }, writtenRelation),
    ...receiverSecrets(config.part("webhookReceiver")),
    ...addressProblems(config, environment),
    ...profileProblems(config, directory, environment),
    ...secretReferenceProblems(tenants, config.part("resolvers"), directory),
  ];
  return {
    config,
    settings: parsed.success ? parsed.data : readableStackSchema.parse(config.value),
    declarations,
    problems: [...problems, ...shapeProblems, ...(hasUnreadKeys ? [] : withoutConsequences(others, shapeProblems))],
  };
}

/** For a config that does not fit: it drops what does not, so that the rest can be used. */
const readableStackSchema = z.object(lenient(stackSchema.shape));
