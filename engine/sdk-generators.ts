import { join } from "node:path";
import { z } from "zod";
import { builtProgram, type GoProgram } from "./go-program.ts";
import { runCommand } from "./run-command.ts";

/** The languages of the SDKs. */
export const sdkLanguages = ["nodejs", "python", "go", "dotnet", "java"] as const;
export type SdkLanguage = (typeof sdkLanguages)[number];

/** The files of an SDK, by path. */
export type SdkFiles = Readonly<Record<string, Buffer>>;

/** What Pulumi's own packages make of a schema. */
export interface GeneratedSdks {
  /** What Pulumi's checker finds wrong with the schema. */
  readonly diagnostics: readonly string[];
  /** None if the schema has errors. */
  readonly sdks: Readonly<Partial<Record<SdkLanguage, SdkFiles>>>;
}

interface Generator extends GoProgram {
  readonly languages: readonly SdkLanguage[];
}

const program = ".";
const pulumi = "github.com/pulumi/pulumi/pkg/v3";

/** The generators, each with the last release of Pulumi's packages that contains it. The first one is that of the CLI. */
const generators: readonly Generator[] = [
  { folder: join(import.meta.dirname, "sdks"), module: pulumi, program, languages: ["nodejs", "python", "go"] },
  { folder: join(import.meta.dirname, "sdks-dotnet"), module: pulumi, program, languages: ["dotnet"] },
  {
    folder: join(import.meta.dirname, "sdks-java"),
    module: "github.com/pulumi/pulumi-java/pkg",
    program,
    languages: ["java"],
  },
];

/**
 * Checks a Pulumi schema and generates SDKs from it. Builds Pulumi's generators the first time, which needs Go.
 *
 * @throws Error if a generator cannot be built or fails.
 */
export async function generateSdks(
  schemaFile: string,
  languages: readonly SdkLanguage[] = sdkLanguages,
): Promise<GeneratedSdks> {
  const results: GeneratedSdks[] = [];
  for (const generator of generators) {
    if (!generator.languages.some((language) => languages.includes(language))) continue;
    const command = await builtProgram(generator);
    const { code, stdout, stderr } = await runCommand(command, [schemaFile], { timeLimitSeconds: 300 });
    if (code !== 0) throw new Error(`${generator.languages.join(", ")}: the SDK was not generated:\n${stderr.trim()}`);
    results.push(outputSchema.parse(JSON.parse(stdout)));
  }
  const sdks = Object.entries(Object.assign({}, ...results.map((result) => result.sdks)));
  return {
    diagnostics: results.flatMap(({ diagnostics }) => diagnostics),
    sdks: Object.fromEntries(sdks.filter(([language]) => languages.some((wanted) => wanted === language))),
  };
}

const bytesSchema = z.string().transform((text) => Buffer.from(text, "base64"));
const outputSchema = z.object({
  diagnostics: z.array(z.string()),
  sdks: z.partialRecord(z.enum(sdkLanguages), z.record(z.string(), bytesSchema)),
});
