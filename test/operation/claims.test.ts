import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createOwnership } from "../../src/operation/create-ownership.ts";
import { createLocks } from "../../src/operation/locks.ts";
import { createMetadataOwnership } from "../../src/operation/metadata-ownership.ts";
import { createQuiet } from "../../src/operation/quiet.ts";
import { claimsFolder } from "./claims-folder.ts";
import { startProcess } from "./start-process.ts";

/** Lets other work run, as every call of the engine does. Until then, a process answers what it knows. */
const otherWork = () => Promise.resolve();
const tenant = { id: 5, integrationId: 101, name: "acme" };
const isPosix = process.platform !== "win32";

describe("what one process claims, another one knows", () => {
  test("as soon as it asks something itself", async () => {
    using here = claimsFolder();
    const [one, other] = [createOwnership(here.open()), createOwnership(here.open())];
    one.declare("Tenant acme", { integrationId: 101, name: "acme", hasState: false });
    one.hold("Tenant acme", 5);
    one.holdersOf(5);
    expect(other.holdersOf(5)).toEqual(["Tenant acme"]);
    expect(other.otherOwnerOf("Tenant bluebird", { id: 5, integrationId: 101 })).toBe("Tenant acme");
    expect(other.givesUpName("Tenant bluebird", 5, "cedar")).toBe(true);
    other.release("Tenant acme", 5);
    other.holdersOf(5);
    await otherWork();
    expect(one.holdersOf(5)).toEqual([]);
  });

  test("or as soon as it lets other work run", async () => {
    using here = claimsFolder();
    const [one, other] = [createOwnership(here.open()), createOwnership(here.open())];
    one.takeOver("Tenant acme", tenant);
    await otherWork();
    expect(other.nextOwnerOf("Tenant bluebird", tenant)).toBe("Tenant acme");
  });

  test("with the provider's name if the other provider has it, as both may have a resource of one name", async () => {
    using here = claimsFolder();
    const [dynamic, native] = [createOwnership(here.open()), createOwnership(here.open({ provider: "native" }))];
    dynamic.hold("Tenant acme", 5);
    dynamic.holdersOf(5);
    expect(native.holdersOf(5)).toEqual(["Tenant acme of the dynamic provider"]);
    const acme = { integrationId: 101, name: "acme", hasState: false };
    dynamic.declare("Tenant acme", acme);
    await otherWork();
    expect(native.declare("Tenant acme", acme)).toBe("Tenant acme of the dynamic provider");
  });

  test("but not if it works on another platform, except that it works", async () => {
    using here = claimsFolder();
    const one = createOwnership(here.open({ platform: "b" }));
    const claims = here.open();
    const other = createOwnership(claims, 0.05);
    one.hold("Tenant acme", 5);
    const working = one.duringWork(() => sleep(300));
    one.holdersOf(5);
    expect(other.holdersOf(5)).toEqual([]);
    const begin = performance.now();
    await other.untilQuiet();
    expect(performance.now() - begin).toBeGreaterThan(290);
    await working;
  });

  test("nor if another operation has another engine", () => {
    using here = claimsFolder();
    const one = createOwnership(here.open({ engineAddress: "127.0.0.1:34568" }));
    const other = createOwnership(here.open());
    one.hold("Tenant acme", 5);
    one.holdersOf(5);
    expect(other.holdersOf(5)).toEqual([]);
  });

  test("of metadata, by digests: the file has no key and no declared name", () => {
    using here = claimsFolder();
    const [one, other] = [here.open(), here.open()].map((claims) => {
      const ownership = createOwnership(claims);
      return { ownership, metadata: createMetadataOwnership(claims, ownership, createLocks(claims)) };
    });
    if (one === undefined || other === undefined) throw new Error("two were opened");
    one.ownership.declare("TenantMetadata plan", { integrationId: 101, name: "secret-name", hasState: false });
    one.metadata.hold("TenantMetadata plan", 5, ["secret-key", "seats"]);
    one.ownership.holdersOf(5);
    expect(other.metadata.keysOfOthers("TenantMetadata seats", 5).has("secret-key")).toBe(true);
    expect(() => other.metadata.refuseSecondOwner("TenantMetadata seats", 5, ["seats"])).toThrow(
      "declared twice, by TenantMetadata plan and by TenantMetadata seats: both have seats",
    );
    expect(() => other.metadata.refuseSecondOwner("TenantMetadata seats", 5, ["other"])).not.toThrow();
    expect(readFileSync(here.file, "utf8")).not.toMatch(/secret|seats"/);
  });

  test("in the same order, whichever process has claimed it", async () => {
    using here = claimsFolder();
    await using one = await startProcess(here.folder);
    await using other = await startProcess(here.folder);
    const owners = createOwnership(here.open());
    await Promise.all([one.ask("holdMany", "one", 3000), other.ask("holdMany", "other", 3000)]);
    for (const id of [2, 1500, 3000]) expect(owners.holdersOf(id).toSorted()).toEqual([`one ${id}`, `other ${id}`]);
    const last = owners.nextOwnerOf("Tenant acme", { ...tenant, id: 1 });
    expect([await one.ask("nextOwner"), await other.ask("nextOwner")]).toEqual([last, last]);
  });
});

describe("a process that is killed", () => {
  test("is remembered by processes that started while it lived, even if they look only afterwards", async () => {
    using here = claimsFolder();
    const first = await startProcess(here.folder);
    await first.ask("hold", "Tenant acme", 5);
    const startedAt = Date.now();
    await first.kill();
    expect(createOwnership(here.open({ startedAt })).holdersOf(5)).toEqual(["Tenant acme"]);
  });

  test("is not remembered by a later operation whose engine has the same address", async () => {
    using here = claimsFolder();
    const first = await startProcess(here.folder);
    await first.ask("hold", "Tenant acme", 5);
    await first.kill();
    const ownership = createOwnership(here.open({ startedAt: Date.now() + 60_000 }));
    expect(ownership.holdersOf(5)).toEqual([]);
    ownership.hold("Tenant bluebird", 5);
    expect(ownership.holdersOf(5)).toEqual(["Tenant bluebird"]);
  });

  test("does not hold up those that wait until nothing works", async () => {
    using here = claimsFolder();
    await using other = await startProcess(here.folder);
    const quiet = createQuiet(here.open(), 0.05);
    await other.ask("work");
    let isQuiet = false;
    const waiting = quiet.untilQuiet().then(() => {
      isQuiet = true;
    });
    await sleep(500);
    expect(isQuiet).toBe(false);
    await other.kill();
    await waiting;
  });

  test("frees its locks", async () => {
    using here = claimsFolder();
    await using other = await startProcess(here.folder);
    const locks = createLocks(here.open());
    await other.ask("exclusively", "metadata of tenant 5");
    expect(await other.ask("lock", "create acme")).toBe(true);
    expect(locks.take("create acme")).toBeUndefined();
    let isDone = false;
    const writing = locks.exclusively("metadata of tenant 5", async () => {
      isDone = true;
    });
    await sleep(200);
    expect(isDone).toBe(false);
    await other.kill();
    await writing;
    expect(locks.take("create acme")).toBeTypeOf("function");
  });

  test("may leave half a line, which costs the others nothing", async () => {
    using here = claimsFolder();
    const [one, other] = [createOwnership(here.open()), createOwnership(here.open())];
    one.hold("Tenant acme", 5);
    one.holdersOf(5);
    appendFileSync(here.file, '["x","hold","Tenant ced');
    expect(other.holdersOf(5)).toEqual(["Tenant acme"]);
    other.hold("Tenant bluebird", 5);
    expect(other.holdersOf(5)).toEqual(["Tenant acme", "Tenant bluebird"]);
    await otherWork();
    expect(one.holdersOf(5)).toEqual(["Tenant acme", "Tenant bluebird"]);
  });
});

describe("waiting until nothing works", () => {
  test("waits for the check of another process and for some time after it", async () => {
    using here = claimsFolder();
    const [one, other] = [createQuiet(here.open(), 0.3), createQuiet(here.open(), 0.3)];
    const checking = one.duringCheck(() => sleep(200));
    await otherWork();
    const begin = performance.now();
    await other.untilQuiet();
    expect(performance.now() - begin).toBeGreaterThan(490);
    await checking;
  });

  test("does not wait for work of another process that itself waits", async () => {
    using here = claimsFolder();
    const [one, other] = [createQuiet(here.open(), 0.05), createQuiet(here.open(), 0.05)];
    await Promise.all([one.duringWork(one.untilQuiet), other.duringWork(other.untilQuiet)]);
  });
});

describe("the file", () => {
  test("is the user's own, in a folder that is the user's own", () => {
    using here = claimsFolder();
    createOwnership(here.open()).holdersOf(5);
    expect(readFileSync(here.file, "utf8")).toContain('"hello"');
    if (!isPosix) return;
    expect(statSync(here.folder).mode & 0o777).toBe(0o700);
    expect(statSync(here.file).mode & 0o777).toBe(0o600);
  });

  test.runIf(isPosix)(
    "is not made in a folder that others can use, and the process goes on alone with one warning",
    () => {
      using here = claimsFolder();
      mkdirSync(here.folder, { mode: 0o777 });
      const ownership = createOwnership(here.open());
      ownership.hold("Tenant acme", 5);
      expect(ownership.holdersOf(5)).toEqual(["Tenant acme"]);
      expect(here.warnings).toEqual([expect.stringContaining("is not private to this user")]);
      expect(existsSync(here.file)).toBe(false);
    },
  );

  test("that cannot be made is one warning", async () => {
    using here = claimsFolder();
    writeFileSync(here.folder, "a file in place of the folder");
    const ownership = createOwnership(here.open(), 0.05);
    ownership.hold("Tenant acme", 5);
    expect(ownership.holdersOf(5)).toEqual(["Tenant acme"]);
    await ownership.duringWork(ownership.untilQuiet);
    expect(here.warnings).toHaveLength(1);
  });

  test("is not made without the address of an engine", () => {
    using here = claimsFolder();
    for (const engineAddress of ["", "no address"]) createOwnership(here.open({ engineAddress })).holdersOf(5);
    expect(existsSync(here.folder)).toBe(false);
  });

  test("of an operation that has ended is removed by a later one", async () => {
    using here = claimsFolder();
    const first = await startProcess(here.folder);
    await first.ask("hold", "Tenant acme", 5);
    await first.kill();
    const hourAgo = Date.now() / 1000 - 3600;
    utimesSync(here.file, hourAgo, hourAgo);
    const running = join(here.folder, "127.0.0.1_34999.claims");
    writeFileSync(running, `["x","hello",${process.pid},"dynamic","a",0]\n`);
    utimesSync(running, hourAgo, hourAgo);
    createOwnership(here.open({ engineAddress: "127.0.0.1:34568" })).holdersOf(5);
    await expect.poll(() => existsSync(here.file)).toBe(false);
    expect(existsSync(running)).toBe(true);
  });

  test("stays small for a large fleet that is read, checked and compared", () => {
    using here = claimsFolder();
    const ownership = createOwnership(here.open());
    for (let id = 1; id <= 1000; id += 1) {
      const owner = `TenantFleet billing/tenant-${id}`;
      ownership.hold(owner, id);
      ownership.declare(owner, { integrationId: 101, name: `tenant-${id}`, hasState: true });
      ownership.hold(owner, id);
    }
    ownership.holdersOf(1);
    expect(statSync(here.file).size).toBeLessThan(200_000);
  });
});
