import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runCommand } from "../../engine/run-command.ts";
import { sdkLanguages } from "../../engine/sdk-generators.ts";
import { packPackage } from "../pack.ts";
import { packFolder } from "../pack-folder.ts";
import { packPlugin } from "../plugin/pack-plugin.ts";
import { writeSdks } from "../sdks.ts";
import { writeChecksums } from "./checksums.ts";
import type { TaggedRelease } from "./release-notes.ts";
import { writeSbom } from "./sbom.ts";

const repository = dirname(dirname(import.meta.dirname));

/** A release and where its files are written. */
export interface ReleaseToMake extends TaggedRelease {
  /** It is emptied first. */
  readonly folder: string;
}

/** What a release consists of. Each step writes its files into the folder. The checksums cover all files, so they come last. */
const steps: Readonly<Record<string, (release: ReleaseToMake) => Promise<unknown>>> = {
  "the npm package": ({ folder }) => packPackage({ destination: folder }),
  "the provider plugin": packPluginForAllSystems,
  "the SDKs": packSdks,
  "the bill of materials": ({ folder }) => writeSbom(join(folder, "sbom.cdx.json")),
  "the site": packSite,
  "the release notes": ({ folder, notes }) => writeFile(join(folder, "release-notes.md"), `${notes}\n`),
  "the checksums": ({ folder }) => writeChecksums(folder),
};

/** The systems by the names that the engine uses when it asks a release on GitHub for the plugin. */
const systems = ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64", "windows-arm64"];

/** Makes all files of a release, and says on standard error what it makes. It takes some minutes. */
export async function makeReleaseFiles(release: ReleaseToMake): Promise<void> {
  await rm(release.folder, { recursive: true, force: true });
  await mkdir(release.folder, { recursive: true });
  for (const [name, step] of Object.entries(steps)) {
    console.error(`Making ${name} of ${release.version}...`);
    await step(release);
  }
}

/** The archive is the same for all systems. It is there once more for each, by the name that the engine asks for. */
async function packPluginForAllSystems({ folder }: ReleaseToMake): Promise<void> {
  const archive = await packPlugin(folder);
  for (const system of systems) await copyFile(archive, archive.replace(/\.tar\.gz$/, `-${system}.tar.gz`));
}

async function packSdks({ folder, version }: ReleaseToMake): Promise<void> {
  const sdks = join(repository, "dist/sdk");
  await writeSdks(sdks);
  for (const language of sdkLanguages) {
    await packFolder(join(folder, `integration-platform-sdk-${language}-v${version}.tar.gz`), sdks, [language]);
  }
}

async function packSite({ folder, version }: ReleaseToMake): Promise<void> {
  const args = [join(repository, "scripts/docs.ts")];
  const { code, stdout, stderr } = await runCommand(process.execPath, args, { cwd: repository, timeLimitSeconds: 900 });
  if (code !== 0) throw new Error(`The site cannot be built.\n${stdout}${stderr}`);
  await packFolder(join(folder, `integration-platform-site-v${version}.tar.gz`), join(repository, "dist"), ["site"]);
}
