// `npm run sdks -- [folder] [language...]`: checks the provider's schema with Pulumi's own checker, and writes SDKs made by
// Pulumi's own generators to `<folder>/<language>`, ready to publish. Default: all languages, to `dist/sdk`.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { generateSdks, type SdkLanguage, sdkLanguages } from "../engine/sdk-generators.ts";
import { providerSchemaFile } from "./schemas.ts";
import { publishable } from "./sdks/publishable.ts";
import { publishedSchema } from "./sdks/published-schema.ts";
import { readmeOf } from "./sdks/readme.ts";

const repository = dirname(import.meta.dirname);

const schemaSchema = z.object({
  version: z.string(),
  description: z.string(),
  language: z.object({ go: z.object({ modulePath: z.string() }), java: z.object({ basePackage: z.string() }) }),
  resources: z.object({ "integration-platform:index:Tenant": z.object({ description: z.string() }) }),
});

/**
 * Writes the SDKs of some languages, each in a folder of its own.
 *
 * @throws Error if Pulumi's checker finds anything wrong with the schema.
 */
export async function writeSdks(folder: string, languages: readonly SdkLanguage[] = sdkLanguages): Promise<void> {
  const schema = publishedSchema(await readFile(providerSchemaFile, "utf8"), process.env);
  await mkdir(folder, { recursive: true });
  const schemaFile = join(folder, "schema.json");
  await writeFile(schemaFile, schema);
  const { diagnostics, sdks } = await generateSdks(schemaFile, languages);
  if (diagnostics.length > 0) throw new Error(`The schema is not valid:\n${diagnostics.join("\n")}`);
  const { resources, ...described } = schemaSchema.parse(JSON.parse(schema));
  const tenant = resources["integration-platform:index:Tenant"].description;
  const license = await readFile(join(repository, "LICENSE"), "utf8");
  for (const language of languages) {
    const readme = readmeOf(language, { ...described, tenant });
    const files = publishable(language, sdks[language] ?? {}, { readme, license });
    await rm(join(folder, language), { recursive: true, force: true });
    for (const [path, content] of Object.entries(files)) {
      const file = join(folder, language, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
  }
}

if (import.meta.main) {
  const [folder = "dist/sdk", ...named] = process.argv.slice(2);
  const languages = sdkLanguages.filter((language) => named.length === 0 || named.includes(language));
  const target = resolve(process.env.INIT_CWD ?? repository, folder);
  await writeSdks(target, languages);
  console.log(`The SDKs for ${languages.join(", ")} are in ${target}.`);
}
