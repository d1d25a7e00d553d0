import { cp, mkdir, mkdtemp, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../../..");

/**
 * Makes a folder that is this repository as a clone would have it, or with `program` as its program.
 *
 * Sources are copied, not linked: a program and its provider run in the folder of `main`, whose real path has to be
 * inside the project for the stack's file to be found beside Pulumi.yaml. Answers the folder's real path.
 */
export async function makeProjectFolder(program: string | undefined): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "integration-platform-test-")));
  await mkdir(join(directory, ".pulumi-state"));
  await symlink(join(repository, "node_modules"), join(directory, "node_modules"));
  for (const name of ["package.json", "src"])
    await cp(join(repository, name), join(directory, name), { recursive: true });
  if (program === undefined) {
    await cp(join(repository, "Pulumi.yaml"), join(directory, "Pulumi.yaml"));
  } else {
    await writeFile(join(directory, "program.ts"), program);
    await writeFile(join(directory, "Pulumi.yaml"), projectYaml);
  }
  return directory;
}

const projectYaml = `name: throw-away
main: program.ts
runtime:
  name: nodejs
  options: { typescript: false }
`;
