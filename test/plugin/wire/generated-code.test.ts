import { execFile } from "node:child_process";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const repository = dirname(dirname(dirname(import.meta.dirname)));
const folder = join(repository, "src/plugin/wire");

test("the code of the protocol is what `npm run protocol` generates", async () => {
  await using output = await mkdtempDisposable(join(tmpdir(), "generated-code-"));
  const buf = join(repository, "node_modules/.bin/buf");
  const PATH = [dirname(buf), process.env.PATH].join(delimiter);
  const args = ["generate", folder, "--template", join(folder, "buf.gen.yaml"), "--output", output.path];
  await promisify(execFile)(buf, args, { env: { ...process.env, PATH } });

  for (const file of ["protocol_pb.ts", "status_pb.ts"]) {
    expect(await readFile(join(folder, file), "utf8")).toBe(await readFile(join(output.path, file), "utf8"));
  }
});
