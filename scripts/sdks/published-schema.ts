import { z } from "zod";

// Names that the schema has until the place of publication is known. Nobody can register a name below `.example`.
const goModule = "integration-platform.example/sdk/go";
const javaPackage = "example.pulumi";
const placeholder = "https://integration-platform.example";

const schemaSchema = z.looseObject({ name: z.string() });

/**
 * The schema from which SDKs are made for publication: with the address of the repository, below which Go finds the module and
 * whose owner names the Java package. GitHub Actions knows the repository; elsewhere, names of the domain `.example` stay.
 */
export function publishedSchema(text: string, environment: NodeJS.ProcessEnv): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = environment;
  if (!server || !name) return withRepository(text, placeholder);
  const owner = name.split("/")[0]?.toLowerCase().replaceAll("-", "_");
  const named = text
    .replaceAll(goModule, `${new URL(server).host}/${name}/sdk/go`)
    .replaceAll(javaPackage, `io.github.${owner}`);
  return withRepository(named, `${server}/${name}`);
}

function withRepository(text: string, repository: string): string {
  return JSON.stringify({ ...schemaSchema.parse(JSON.parse(text)), repository });
}
