import { chmod, copyFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { builtProgram, type GoProgram } from "./go-program.ts";
import { runCommand } from "./run-command.ts";

const sdk = "github.com/pulumi/pulumi/sdk/v3";
const sdkVersion = `${sdk}/go/common/version.Version`;

const hosts = {
  yaml: {
    folder: join(import.meta.dirname, "language-yaml"),
    module: "github.com/pulumi/pulumi-yaml",
    program: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    versionVariable: "github.com/pulumi/pulumi-yaml/pkg/version.Version",
  },
  python: {
    folder: join(import.meta.dirname, "language-python"),
    module: sdk,
    program: `${sdk}/python/cmd/pulumi-language-python`,
    versionVariable: sdkVersion,
  },
  go: {
    folder: join(import.meta.dirname, "language-go"),
    module: sdk,
    program: `${sdk}/go/pulumi-language-go`,
    versionVariable: sdkVersion,
  },
} satisfies Record<string, GoProgram>;

export type HostedLanguage = keyof typeof hosts;

/**
 * The folder with the engine's language host, for PATH. It is built the first time, which needs Go. Tests use it: a user's
 * installation of Pulumi has all language hosts.
 */
export async function languageHostFolder(language: HostedLanguage): Promise<string> {
  const host = hosts[language];
  return dirname(await builtProgram(host, undefined, language === "python" ? copyLauncher : undefined));
}

/** The host starts programs with a script, which is in the same module and belongs beside it. */
async function copyLauncher(folder: string): Promise<void> {
  const { folder: cwd, program } = hosts.python;
  const script = `${basename(program)}-exec`;
  const { stdout } = await runCommand("go", ["list", "-m", "-f", "{{.Dir}}", sdk], { cwd, timeLimitSeconds: 60 });
  await copyFile(join(stdout.trim(), "python/cmd", script), join(folder, script));
  await chmod(join(folder, script), 0o755);
}
