// `npm run pack -- [folder for the tarballs]`: builds the package and the provider plugin, and packs them as they would be
// published.
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join, resolve } from "node:path";
import { z } from "zod";
import { runCommand } from "../engine/run-command.ts";
import { bundleLambda, lambdaNames } from "../src/receiver/infrastructure/bundle-lambda.ts";
import { bundledFile } from "../src/receiver/infrastructure/lambda-code.ts";
import { bundleAwsStore } from "./bundle-aws-store.ts";
import { writeEntryPoints } from "./entry-points.ts";
import { copyDocuments } from "./packed-documents.ts";
import { packPlugin } from "./plugin/pack-plugin.ts";
import { manifestSchema, publishedManifest } from "./published-manifest.ts";

const repository = dirname(import.meta.dirname);
const packOutput = z.tuple([z.looseObject({ filename: z.string() })]);

/** What only the generation of the plugin's messages reads. */
const sourcesOfMessages = [".proto", ".gen.yaml"];

/**
 * Builds `src/` into JavaScript and declarations, with the files that are no TypeScript and the bundles of the webhook
 * receiver's functions beside them, and packs the result. Answers the tarball's path. The file of the command `events` that
 * loads the AWS SDK is a bundle too: whoever installs the package needs no SDK for it.
 *
 * `destination`: folder for the tarball, default `dist`. `buildDirectory`: emptied and filled with what is packed,
 * default `dist/package`; give each call its own if several run at once.
 */
export async function packPackage({
  destination = join(repository, "dist"),
  buildDirectory = join(repository, "dist/package"),
}: {
  readonly destination?: string;
  readonly buildDirectory?: string;
} = {}): Promise<string> {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(repository, "package.json"), "utf8")));
  await rm(buildDirectory, { recursive: true, force: true });
  await mkdir(buildDirectory, { recursive: true });
  await mkdir(destination, { recursive: true });

  await compile(buildDirectory);
  await copyAssets(buildDirectory);
  await bundleFunctions(buildDirectory);
  await writeFile(join(buildDirectory, "src/cli/events/aws-store.js"), (await bundleAwsStore()).code);
  await writeEntryPoints(manifest, buildDirectory);
  const url = repositoryUrl(process.env);
  const online = url === undefined ? undefined : { repositoryUrl: url, tag: `v${manifest.version}` };
  await copyDocuments(repository, buildDirectory, online);
  const text = JSON.stringify(publishedManifest(manifest, url), null, 2);
  await writeFile(join(buildDirectory, "package.json"), `${text}\n`);
  return npmPack(buildDirectory, destination);
}

if (import.meta.main) {
  const options = process.argv[2] ? { destination: resolve(process.argv[2]) } : {};
  console.log(await packPackage(options));
  console.log(await packPlugin(options.destination));
}

async function compile(buildDirectory: string): Promise<void> {
  const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  const args = [compiler, "-p", "tsconfig.build.json", "--outDir", buildDirectory];
  const { code, stdout, stderr } = await runCommand(process.execPath, args, { cwd: repository, timeLimitSeconds: 300 });
  if (code !== 0) throw new Error(`The package does not compile.\n${stdout}${stderr}`);
}

async function copyAssets(buildDirectory: string): Promise<void> {
  await cp(join(repository, "src"), join(buildDirectory, "src"), {
    recursive: true,
    filter: (path) => extname(path) !== ".ts" && !sourcesOfMessages.some((end) => path.endsWith(end)),
  });
  await cp(join(repository, "schemas"), join(buildDirectory, "schemas"), { recursive: true });
}

/** The code of the webhook receiver's functions: whoever installs the package needs no bundler. */
async function bundleFunctions(buildDirectory: string): Promise<void> {
  for (const name of lambdaNames) {
    const file = bundledFile(join(buildDirectory, "src/receiver/infrastructure"), name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, (await bundleLambda(name)).code);
  }
}

/** Where GitHub Actions packs the sources from. */
function repositoryUrl({ GITHUB_SERVER_URL, GITHUB_REPOSITORY }: NodeJS.ProcessEnv): string | undefined {
  return GITHUB_SERVER_URL && GITHUB_REPOSITORY ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` : undefined;
}

async function npmPack(buildDirectory: string, destination: string): Promise<string> {
  const args = ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", destination];
  const { code, stdout, stderr } = await runCommand("npm", args, { cwd: buildDirectory, timeLimitSeconds: 120 });
  if (code !== 0) throw new Error(`npm pack failed.\n${stderr}`);
  const [packed] = packOutput.parse(JSON.parse(stdout));
  return join(destination, packed.filename);
}
