import { z } from "zod";
import type { SdkFiles, SdkLanguage } from "../../engine/sdk-generators.ts";

/** The files of an SDK as they are published: what Pulumi's generator wrote, its README and the licence. */
export function publishable(
  language: SdkLanguage,
  files: SdkFiles,
  { readme, license }: { readme: string; license: string },
): SdkFiles {
  const all = { ...files, "README.md": Buffer.from(readme), LICENSE: Buffer.from(license) };
  const manifest = files["package.json"];
  return language === "nodejs" && manifest !== undefined ? { ...all, "package.json": builtManifest(manifest) } : all;
}

const manifestSchema = z.looseObject({ scripts: z.record(z.string(), z.string()) });

/** `npm run build` fills the folder `bin`, which is what is published: its code reads the package.json beside it. */
function builtManifest(bytes: Buffer): Buffer {
  const { scripts, ...manifest } = manifestSchema.parse(JSON.parse(bytes.toString()));
  const build = "tsc && cp package.json README.md LICENSE bin/";
  const built = { ...manifest, main: "index.js", types: "index.d.ts", scripts: { ...scripts, build } };
  return Buffer.from(`${JSON.stringify(built, null, 2)}\n`);
}
