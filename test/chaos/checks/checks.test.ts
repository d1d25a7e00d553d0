import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../emulator/running-emulator.ts";
import { shortcomingsOf } from "./errors.ts";
import { filesWithSecrets, namesIn } from "./secrets.ts";

const secrets = new Map([["API key", "key-a1b2c3/d4"]]);

describe("the search for secrets", () => {
  it("finds one in plain, in base64, for a URL, and in a compressed state; and tells where, not what", async () => {
    const folder = temporaryDirectory();
    const texts = ["a key-a1b2c3/d4 b", btoa("x:key-a1b2c3/d4 y"), "?token=key-a1b2c3%2Fd4"];
    for (const [index, text] of texts.entries()) await writeFile(join(folder, `${index}.txt`), text);
    await writeFile(join(folder, "3.zst"), zstdCompressSync(`${"-".repeat(500)}key-a1b2c3/d4`));
    await writeFile(join(folder, "4.txt"), "key-a1b2");
    const { found, searchedFiles } = await filesWithSecrets(folder, secrets, new Set());
    expect(found).toEqual(["0.txt", "1.txt", "2.txt", "3.zst"].map((name) => `API key in ${join(folder, name)}`));
    expect(searchedFiles).toBe(5);
  });

  it("passes over links and what it is told to", async () => {
    const folder = temporaryDirectory();
    await mkdir(join(folder, "platform"));
    await writeFile(join(folder, "platform", "keys"), "key-a1b2c3/d4");
    await symlink(join(folder, "platform"), join(folder, "link"));
    expect(await filesWithSecrets(folder, secrets, new Set([join(folder, "platform")]))).toEqual({
      found: [],
      searchedFiles: 0,
    });
  });

  it("finds one in what was printed", () => {
    expect(namesIn("nothing", secrets)).toEqual([]);
    expect(namesIn("key-a1b2c3/d4", secrets)).toEqual(["API key"]);
  });
});

describe("the look at errors", () => {
  const printed = (...errors: string[]) =>
    ["Updating (test):", "Diagnostics:", "  x:Tenant (acme):", ...errors.map((text) => `    error: ${text}`)]
      .concat("  pulumi:pulumi:Stack (p-test):", "    error: update failed", "", "Resources:", "    2 errored")
      .join("\n");

  it("is content with resource, request, status and a next step", () => {
    expect(shortcomingsOf(printed("POST /v2/tenants: the server failed (status 500). Try again later."))).toEqual([]);
    const notTaken = "the platform answered PATCH /v2/tenants/7 with success, but 10 s later it has not taken paused";
    expect(shortcomingsOf(printed(`${notTaken}. Compare with the tenant, then run up again`))).toEqual([]);
    const failedRun = 'the sync of tenant 7 failed with status "Failed" after 2 s (GET /v2/runs/triggers/t/status)';
    expect(shortcomingsOf(printed(`${failedRun}. The next up tries again`))).toEqual([]);
    expect(shortcomingsOf("error: the stack is currently locked by 1 lock(s).")).toEqual([]);
  });

  it.each([
    ["METHOD and path", "the server failed (status 500). Try again later."],
    ["status or cause", "POST /v2/tenants: it went wrong. Try again later."],
    ["a next step", "POST /v2/tenants: the server failed (status 500)."],
  ])("misses %s", (what, text) => {
    expect(shortcomingsOf(printed(text))).toEqual([`an error lacks ${what}: x:Tenant (acme): ${text}`]);
  });

  it("does not take a warning below an error for a part of it", () => {
    const warning = '    integration-platform: warning: fleet "billing": 7 to sync';
    expect(shortcomingsOf(printed().replace("update failed", `update failed\n${warning}`))).toEqual([
      expect.stringContaining("failed without an error"),
    ]);
    const text = "POST /v2/tenants: it went wrong. Try again later.";
    expect(shortcomingsOf(printed(`${text}\n${warning}`))).toEqual([expect.stringMatching(/it went wrong.*later\.$/)]);
  });

  it("looks into the engine's list of what was half done", () => {
    const list = (text: string) => printed(`1 error occurred:\n    \t* ${text}`);
    expect(shortcomingsOf(list("PATCH /v2/tenants/1: the server failed (status 502). Try again later."))).toEqual([]);
    expect(shortcomingsOf(list("oh"))).toEqual([expect.stringContaining("a next step: x:Tenant (acme): oh")]);
  });

  it("misses an error where there is none", () => {
    expect(shortcomingsOf(printed())).toEqual([expect.stringContaining("without an error that says why")]);
  });

  it("looks at each tenant of a fleet, whose lines stand anywhere", () => {
    const head = "the fleet: 2 tenants are not as declared; the rest is done, and the next up does only what is left:";
    const good = "  a: PATCH /v2/tenants/1: the server failed (status 500). Try again later.";
    expect(shortcomingsOf(printed([head, good, "  b: oh"].join("\n")))).toEqual([
      expect.stringContaining("(acme) b: b: oh"),
    ]);
  });
});
