import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { runCommand } from "../../engine/run-command.ts";

const story = `
import { say, show } from ${JSON.stringify(join(import.meta.dirname, "../../demo/say.ts"))};
say("1. A headline of a step that is longer than a line of a terminal with 80 columns can be, so that it is wrapped.");
say("A sentence.");
show("+ created\\n~ changed\\n- deleted\\nnot shown\\n  an indented line of a command with a/very/long/${"path/".repeat(20)} and more", /^[^n]/);
say("2. The next step.");
`;

async function printed(env: NodeJS.ProcessEnv): Promise<string> {
  const own = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: undefined, ...env };
  const { stdout, stderr } = await runCommand(process.execPath, ["--input-type=module", "--eval", story], {
    env: own,
    timeLimitSeconds: 60,
  });
  expect(stderr).toBe("");
  return stdout;
}

test("the demos print lines of at most 80 columns, with a rule before each step", async () => {
  const text = await printed({});
  const lines = text.split("\n");
  expect(lines.filter((line) => stringWidth(line) > 80)).toEqual([]);
  expect(text.match(/^\n?─{80}\n\d\. /gm)).toHaveLength(2);
  expect(text).toContain("\n   A sentence.\n   | + created\n");
  expect(text).not.toContain("not shown");
  expect(text.replaceAll(/\n {3}\|\s+/g, "")).toContain("path/".repeat(20)); // cut, but whole
});

test("the demos are coloured on a terminal only, and not if NO_COLOR is set", async () => {
  const plain = await printed({});
  expect(plain).toBe(stripVTControlCharacters(plain));
  const coloured = await printed({ FORCE_COLOR: "1" }); // as on a terminal
  expect(stripVTControlCharacters(coloured)).toBe(plain);
  expect(coloured).toContain("\u001B[32m+ created");
  expect(coloured).toContain("\u001B[33m~ changed");
  expect(coloured).toContain("\u001B[31m- deleted");
  expect(await printed({ NO_COLOR: "1" })).toBe(plain);
});
