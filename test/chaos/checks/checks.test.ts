import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../emulator/running-emulator.ts";
import { type SeenRequest, shortcomingsOf } from "./errors.ts";
import { filesWithSecrets, namesIn } from "./secrets.ts";

const secrets = new Map([["API key", "key-a1b2c3/d4"]]);

describe("the search for secrets", () => {
  test("finds one in plain, in base64, for a URL, and in a compressed state; and tells where, not what", async () => {
    const folder = temporaryDirectory();
    const texts = ["a key-a1b2c3/d4 b", btoa("x:key-a1b2c3/d4 y"), "?token=key-a1b2c3%2Fd4"];
    for (const [index, text] of texts.entries()) await writeFile(join(folder, `${index}.txt`), text);
    await writeFile(join(folder, "3.zst"), zstdCompressSync(`${"-".repeat(500)}key-a1b2c3/d4`));
    await writeFile(join(folder, "4.txt"), "key-a1b2");
    const { found, searchedFiles } = await filesWithSecrets(folder, secrets, new Set());
    expect(found).toEqual(["0.txt", "1.txt", "2.txt", "3.zst"].map((name) => `API key in ${join(folder, name)}`));
    expect(searchedFiles).toBe(5);
  });

  test("passes over links and what it is told to", async () => {
    const folder = temporaryDirectory();
    await mkdir(join(folder, "platform"));
    await writeFile(join(folder, "platform", "keys"), "key-a1b2c3/d4");
    await symlink(join(folder, "platform"), join(folder, "link"));
    expect(await filesWithSecrets(folder, secrets, new Set([join(folder, "platform")]))).toEqual({
      found: [],
      searchedFiles: 0,
    });
  });

  test("leaves out files that are removed during the search", async () => {
    const folder = temporaryDirectory();
    await writeFile(join(folder, "left"), "key-a1b2c3/d4");
    let isSearching = true;
    const comeAndGo = async (name: string) => {
      while (isSearching) {
        await mkdir(join(folder, name));
        await writeFile(join(folder, name, "file"), "nothing");
        await rm(join(folder, name), { recursive: true });
      }
    };
    const changes = Promise.all(["a", "b", "c"].map(comeAndGo));
    try {
      for (let search = 0; search < 200; search += 1) {
        const { found } = await filesWithSecrets(folder, secrets, new Set());
        expect(found).toEqual([`API key in ${join(folder, "left")}`]);
      }
    } finally {
      isSearching = false;
      await changes;
    }
  });

  test("finds one in what was printed", () => {
    expect(namesIn("nothing", secrets)).toEqual([]);
    expect(namesIn("key-a1b2c3/d4", secrets)).toEqual(["API key"]);
  });
});

describe("the look at errors", () => {
  const printed = (...errors: string[]) =>
    ["Updating (test):", "Diagnostics:", "  x:Tenant (acme):", ...errors.map((text) => `    error: ${text}`)]
      .concat("  pulumi:pulumi:Stack (p-test):", "    error: update failed", "", "Resources:", "    2 errored")
      .join("\n");

  const seen = (request: string, ...statuses: (number | null)[]): SeenRequest[] => {
    const [method = "", path = ""] = request.split(" ");
    return statuses.map((status) => ({ method, path, status }));
  };
  const refusedPost = seen("POST /v2/tenants", 500);
  const lacking = (text: string, requests = refusedPost) =>
    shortcomingsOf(printed(text), requests).map((line) => line.replace(/^an error lacks (.*?): .*$/s, "$1"));

  test("is content with resource, request, the status that the platform answered, and a next step", () => {
    expect(lacking("POST /v2/tenants: the server failed (status 500). Try again later.")).toEqual([]);
    expect(lacking("creation failed: 500 from POST /v2/tenants; once it is up, run the same command again.")).toEqual(
      [],
    );
    expect(shortcomingsOf("error: the stack is currently locked by 1 lock(s).", [])).toEqual([]);
  });

  test("asks for no status where the platform answered otherwise, or nothing at all", () => {
    const notTaken = "PATCH /v2/tenants/7 was answered with success, and has no effect after 10 s. Run up again";
    expect(lacking(notTaken, seen("PATCH /v2/tenants/7", 502, 200))).toEqual([]);
    expect(lacking("POST /v2/tenants: the connection broke. Try again later.", seen("POST /v2/tenants", null))).toEqual(
      [],
    );
    expect(lacking("GET /v2/tenants: no connection. Check the address.", [])).toEqual([]);
  });

  test("is content with what was found without a request, if it says whom it is about, in whatever words", () => {
    expect(lacking('somebody else holds tenant "own-a". Set adopt: true')).toEqual([]);
    expect(lacking("somebody else holds it. Set adopt: true")).toEqual(["METHOD and path"]);
  });

  test.each([
    ["METHOD and path", "the server failed (status 500). Try again later."],
    ["the status, which was 500", "POST /v2/tenants: it went wrong. Try again later."],
    ["the status, which was 500", "POST /v2/tenants: the server failed (status 503). Try again later."],
    ["a next step", "POST /v2/tenants: the server failed (status 500)."],
    ["words for people", "POST /v2/tenants: TypeError, status 500. Try again later."],
    ["words for people", "POST /v2/tenants: undefined answered 500. Try again later."],
  ])("misses %s", (what, text) => {
    expect(lacking(text)).toEqual([what]);
  });

  test.each(["    warning: metadata of tenant 5001 is left", '    fleet "billing": syncs 7 tenants'])(
    "does not take another message below an error for a part of it: %s",
    (other) => {
      expect(shortcomingsOf(printed().replace("update failed", `update failed\n${other}`), [])).toEqual([
        expect.stringContaining("failed without an error"),
      ]);
      const text = "POST /v2/tenants: it went wrong. Try again later.";
      expect(shortcomingsOf(printed(`${text}\n${other}`), refusedPost)).toEqual([
        expect.stringMatching(/it went wrong.*later\.$/),
      ]);
    },
  );

  test("looks into the engine's list of what was half done", () => {
    const list = (text: string) => shortcomingsOf(printed(`1 error occurred:\n    \t* ${text}`), []);
    expect(list("PATCH /v2/tenants/1: the server failed (status 502). Try again later.")).toEqual([]);
    expect(list("oh")).toEqual([expect.stringContaining("a next step: x:Tenant (acme): oh")]);
  });

  test("misses an error where there is none", () => {
    expect(shortcomingsOf(printed(), [])).toEqual([expect.stringContaining("without an error that says why")]);
  });

  test("looks at each tenant of a fleet, whose lines stand anywhere", () => {
    const head = "two of three went wrong:";
    const good = "  a: PATCH /v2/tenants/1: the server failed (status 500). Try again later.";
    expect(shortcomingsOf(printed([head, good, "  b: oh"].join("\n")), [])).toEqual([
      expect.stringContaining("(acme) b: b: oh"),
    ]);
  });

  test("reads what follows the lines of a rollout's tenants as said of all", () => {
    const head = 'rollout of fleet "a" to v2 has failed. Nobody else moves:';
    const one = '  a (1): its sync ended with "failed" (GET /v2/runs/triggers/t/status)';
    expect(shortcomingsOf(printed([head, one].join("\n")), [])).toEqual([expect.stringContaining("a next step")]);
    expect(shortcomingsOf(printed([head, one, "To go on, raise attempt"].join("\n")), [])).toEqual([]);
  });

  test("asks for no status of an earlier response where the platform was out of reach afterwards", () => {
    const text = "GET /v2/tenants: no connection. Check the address.";
    const requests = seen("GET /v2/tenants", 429, 429);
    expect(shortcomingsOf(printed(text), requests, true)).toEqual([]);
    expect(shortcomingsOf(printed(text), requests)).toEqual([expect.stringContaining("the status, which was 429")]);
  });
});
