import { describe, expect, test } from "vitest";
import type { Emulator } from "../../../src/emulator/index.ts";
import { downgrade } from "../older-database.ts";
import {
  call,
  createTenant,
  install,
  numberAt,
  startEmulator,
  startManual,
  temporaryDirectory,
} from "../running-emulator.ts";
import { open } from "./console-client.ts";

const [v1, v2] = ["crm-to-billing v1.0.0", "crm-to-billing v1.1.0"];

describe("the tenants by release, now", () => {
  test("are counted as tenants come, move, are archived and are restored", async () => {
    const emulator = await startManual();
    expect(await shown(emulator)).toEqual({});
    const first = await createTenant(emulator);
    const second = await install(emulator, { name: "globex" });
    expect(await shown(emulator)).toEqual({ [v1]: 2 });
    await call(emulator, "PATCH", `/v2/tenants/${first}`, { integration_release_id: 902 });
    expect(await shown(emulator)).toEqual({ [v2]: 1, [v1]: 1 });
    await emulator.advance({ seconds: 1 });
    await call(emulator, "DELETE", `/v2/tenants/${first}`);
    expect(await shown(emulator)).toEqual({ [v2]: 0, [v1]: 1 });
    await call(emulator, "PATCH", `/_emulator/tenants/${first}`, { archived: false });
    await call(emulator, "PATCH", `/_emulator/tenants/${second}`, { integration_release_id: null });
    expect(await shown(emulator)).toEqual({ [v2]: 1, [v1]: 0, "No release": 1 });
  });

  test("follow what else changes a tenant, without a count that is off", async () => {
    const emulator = await startManual();
    const id = await install(emulator);
    await call(emulator, "PATCH", `/v2/tenants/${id}`, { paused: true, name: "acme inc" });
    await call(emulator, "POST", `/v2/tenants/${id}/sync?mode=normal`);
    await emulator.advance({ seconds: 60 });
    await call(emulator, "PATCH", `/v2/tenants/${id}`, { integration_release_id: 902, configs: { region: "mars" } });
    expect(await shown(emulator)).toEqual({ [v1]: 1 });
    await call(emulator, "PATCH", `/_emulator/tenants/${id}`, { integration_id: 102, integration_release_id: 911 });
    expect([await shown(emulator), await shown(emulator, 102)]).toEqual([{ [v1]: 0 }, { "shop-to-erp v2.0.0": 1 }]);
  });

  test("move with their channel when a build makes a release, or another release becomes the default", async () => {
    const emulator = await startManual();
    const byLatest = await createTenant(emulator, { integration_release_channel: "Latest" });
    await createTenant(emulator, { name: "globex", integration_release_channel: "Default" });
    await createTenant(emulator, { name: "initech", integration_release_id: 901 });
    expect(await shown(emulator)).toEqual({ [v1]: 2, [v2]: 1 });
    await call(emulator, "POST", "/v2/sourcecontrol/build", { tag: "v1.2.0", integration_id: 101 });
    await emulator.advance({ seconds: 2 });
    expect(await shown(emulator)).toEqual({ [v1]: 2, [v2]: 0, "crm-to-billing v1.2.0": 1 });
    await call(emulator, "PATCH", "/_emulator/integrations/101", { default_release_id: 902 });
    expect(await shown(emulator)).toEqual({ [v1]: 1, [v2]: 1, "crm-to-billing v1.2.0": 1 });
    await emulator.advance({ seconds: 1 });
    await call(emulator, "DELETE", `/v2/tenants/${byLatest}`);
    expect(await shown(emulator)).toEqual({ [v1]: 1, [v2]: 1, "crm-to-billing v1.2.0": 0 });
  });

  test("are of the seed's tenants at the start and after a reset", async () => {
    const seed = {
      integrations: [{ id: 101, name: "one", releases: [{ id: 11, name: "one v1" }], default_release_id: 11 }],
      tenants: [
        { integration: "one", name: "acme" },
        { integration: "one", name: "old", archived: true },
      ],
    };
    const emulator = await startManual({ seed });
    expect(await shown(emulator)).toEqual({ "one v1": 1 });
    await createTenant(emulator, { name: "globex" });
    expect(await shown(emulator)).toEqual({ "one v1": 2 });
    await emulator.reset();
    expect(await shown(emulator)).toEqual({ "one v1": 1 });
  });

  test("name every release that has tenants, also with more releases than colors", async () => {
    const emulator = await startManual();
    const pinned = await createTenant(emulator, { name: "pinned" });
    const moving = await createTenant(emulator, { name: "moving" });
    for (let number = 1; number <= 7; number += 1) {
      const { body } = await call(emulator, "POST", "/_emulator/integrations/101/releases", {
        name: `number ${number}`,
      });
      const release = { integration_release_id: numberAt(body, "id") };
      await emulator.advance({ seconds: 60 });
      await call(emulator, "PATCH", `/v2/tenants/${moving}`, release);
    }
    const newest = { "number 7": 1, "number 6": 0, "number 5": 0, "number 4": 0, "number 3": 0 };
    expect(await shown(emulator)).toEqual({ ...newest, [v1]: 1 });
    await call(emulator, "DELETE", `/v2/tenants/${pinned}`);
    expect(await shown(emulator)).toEqual({ ...newest, "Earlier releases": 0 });
  });

  test("survive a restart, also of a database that an older emulator wrote", async () => {
    const data = temporaryDirectory();
    const first = await startManual({ data });
    await createTenant(first);
    await createTenant(first, { name: "globex", integration_release_id: 902 });
    await first.close();
    const second = await startManual({ data });
    expect(await shown(second)).toEqual({ [v1]: 1, [v2]: 1 });
    await second.close();
    downgrade(data, 3);
    const third = await startManual({ data });
    expect(await shown(third)).toEqual({ [v1]: 1, [v2]: 1 });
    await createTenant(third, { name: "initech" });
    expect(await shown(third)).toEqual({ [v1]: 2, [v2]: 1 });
  });
});

describe("the chart of tenants by release", () => {
  test("has a band for each release, whose height changes at the times of the moves", async () => {
    const emulator = await startManual();
    const tenants = await Promise.all(["a", "b", "c", "d"].map((name) => createTenant(emulator, { name })));
    await emulator.advance({ seconds: 900 });
    await call(emulator, "PATCH", `/v2/tenants/${tenants[0]}`, { integration_release_id: 902 });
    await emulator.advance({ seconds: 900 });
    for (const id of tenants) await call(emulator, "PATCH", `/v2/tenants/${id}`, { integration_release_id: 902 });
    await emulator.advance({ seconds: 1800 });

    const { bands, label, text } = await chart(emulator);
    // 400 columns for the hour, and 100 rows for four tenants, counted from the top.
    expect(bands).toEqual([
      {
        style: "band band-1",
        title: `${v2}: 4 now`,
        outline: "M0 100L100 100L100 75L200 75L200 0L400 0L400 100L0 100Z",
      },
      { style: "band band-0", title: `${v1}: 0 now`, outline: "M0 0L400 0L400 0L200 0L200 75L100 75L100 100L0 100Z" },
    ]);
    expect(label).toBe(`Live tenants by release over time. Now: ${v2}: 4, ${v1}: 0.`);
    expect(text).toContain("2026-06-01 00:00:00 UTC 2026-06-01 01:00:00 UTC");
    expect(text).toContain("4 3 2 1 0");
  });

  test("is on the emulator's clock, also when all happened in one moment", async () => {
    const emulator = await startManual();
    await createTenant(emulator);
    const { bands, text } = await chart(emulator);
    expect(bands.map(({ outline }) => outline)).toEqual(["M0 0L400 0L400 100L0 100Z"]);
    expect(text).toContain("2026-06-01 00:00:00 UTC 2026-06-01 00:00:00 UTC");
  });

  test("has no band for a release that a tenant had for less than a second", async () => {
    const emulator = await startManual();
    const id = await createTenant(emulator);
    await call(emulator, "PATCH", `/v2/tenants/${id}`, { integration_release_id: 902 });
    expect((await chart(emulator)).bands.map(({ title }) => title)).toEqual([`${v2}: 1 now`]);
  });

  test("is missing while there are no tenants", async () => {
    const emulator = await startManual();
    const { html } = await open(emulator, "/console/integrations/101");
    expect(html).not.toContain("<svg");
    expect(html).toContain("There are no tenants yet.");
  });

  test("escapes the names of releases", async () => {
    const emulator = await startEmulator();
    const name = `"><script>alert(1)</script>`;
    const { body } = await call(emulator, "POST", "/_emulator/integrations/101/releases", { name });
    await createTenant(emulator, { integration_release_id: numberAt(body, "id") });
    const { html } = await open(emulator, "/console/integrations/101");
    expect(html).toContain("&quot;&gt;&lt;script&gt;");
    expect(html).not.toContain("<script>alert");
  });

  test("does not grow with the number of moves", async () => {
    const emulator = await startManual();
    const id = await createTenant(emulator);
    for (let move = 0; move < 1200; move += 1) {
      await emulator.advance({ seconds: 60 });
      await call(emulator, "PATCH", `/v2/tenants/${id}`, { integration_release_id: move % 3 === 0 ? 901 : 902 });
    }
    const { bands } = await chart(emulator);
    for (const { outline } of bands) expect(outline.split("L").length).toBeLessThan(1700);
  });
});

/** The live tenants by release, as the table shows them. */
async function shown(emulator: Emulator, integrationId = 101): Promise<Record<string, number>> {
  const { html } = await open(emulator, `/console/integrations/${integrationId}`);
  const region = /<div id="adoption" data-live>([\s\S]*?)<div id="adoption-chart"/.exec(html)?.[1] ?? "";
  const rows = [
    ...region.matchAll(/data-column="Release"><div>(.*?)<\/div>[\s\S]*?data-column="Live tenants now"><div>(\d+)</g),
  ];
  return Object.fromEntries(rows.map(([, name = "", count]) => [name.replace(/<[^>]+>/g, ""), Number(count)]));
}

/** The chart's bands, its words and its labels. */
async function chart(emulator: Emulator) {
  const { html } = await open(emulator, "/console/integrations/101");
  const [, inside = ""] = /<div class="chart">([\s\S]*?)<h2>/.exec(html) ?? [];
  const paths = [...inside.matchAll(/<path class="([^"]+)" d="([^"]*)"><title>([^<]*)<\/title>/g)];
  return {
    bands: paths.map(([, style, outline = "", title]) => ({ style, title, outline })),
    label: /aria-label="([^"]*)"/.exec(inside)?.[1],
    text: inside
      .replace(/<svg[\s\S]*<\/svg>/, "")
      .replace(/<[^>]+>/g, " ")
      .replace(/\s+/g, " "),
  };
}
