// `npm run sbom -- [file]`: the software bill of materials of what is shipped, CycloneDX, as npm makes it.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { runCommand } from "../../engine/run-command.ts";
import { manifestSchema } from "../published-manifest.ts";
import { shippedPackages } from "./shipped-packages.ts";

const repository = dirname(dirname(import.meta.dirname));
const componentSchema = z.looseObject({ "bom-ref": z.string() });
const sbomSchema = z.looseObject({
  bomFormat: z.literal("CycloneDX"),
  metadata: z.looseObject({ component: z.looseObject({ "bom-ref": z.string() }) }),
  components: z.array(componentSchema),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
});

/** Writes it; answers how many components it has. */
export async function writeSbom(file: string): Promise<number> {
  const { name } = manifestSchema.parse(JSON.parse(await readFile(join(repository, "package.json"), "utf8")));
  const args = ["sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=library", "--loglevel=error"];
  const { code, stdout, stderr } = await runCommand("npm", args, { cwd: repository, timeLimitSeconds: 120 });
  if (code !== 0) throw new Error(`npm sbom failed.\n${stderr}`);
  const whole = sbomSchema.parse(JSON.parse(stdout));

  // npm's --omit=dev loses bundled packages and peers of development dependencies, such as yaml.
  const refs = new Set((await shippedPackages()).map(({ name, version }) => `${name}@${version}`));
  const components = whole.components.filter((one) => refs.has(one["bom-ref"]));
  const { component } = whole.metadata;
  const shipped = new Set([component["bom-ref"], ...refs]);
  const dependencies = whole.dependencies
    .filter(({ ref }) => shipped.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => shipped.has(other)) }));
  // npm calls the project by the name of its folder.
  const metadata = { ...whole.metadata, component: { ...component, name } };

  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify({ ...whole, metadata, components, dependencies }, null, 2)}\n`);
  return components.length;
}

if (import.meta.main) {
  const file = resolve(process.argv[2] ?? join(repository, "dist/sbom.cdx.json"));
  console.log(`${await writeSbom(file)} components in ${file}`);
}
