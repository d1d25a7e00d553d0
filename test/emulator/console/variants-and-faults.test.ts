import { describe, expect, test } from "vitest";
import { defaultVariants, type Emulator, faultKinds, variantValues } from "../../../src/emulator/index.ts";
import { call, startEmulator } from "../running-emulator.ts";
import { open, type Page, send } from "./console-client.ts";

describe("the page of variants", () => {
  test("has every value of every variant, and marks the default and what is in force", async () => {
    const emulator = await startEmulator({ variants: { configs: "merge" } });
    const { html } = await open(emulator, "/console/variants");
    const radios = [...html.matchAll(/<input type="radio" id="[^"]+" name="(\w+)" value="([^"]+)" (checked)?/g)];
    const shown: Record<string, string[]> = {};
    for (const [, name = "", value = ""] of radios) shown[name] = [...(shown[name] ?? []), value];
    expect(shown).toEqual(variantValues);

    const checked = radios.filter(([, , , mark]) => mark === "checked").map(([, name, value]) => [name, value]);
    expect(Object.fromEntries(checked)).toEqual({ ...defaultVariants, configs: "merge" });
    expect(textOf(html)).toContain("replace: the new object replaces the old one (default)");
    expect(html.match(/\(default\)/g)).toHaveLength(Object.keys(variantValues).length);
  });

  test("sets the variants that the form sends, and leaves the others", async () => {
    const emulator = await startEmulator({ variants: { names: "unique" } });
    const { html } = await send(emulator, "/console/variants", {
      configs: "merge",
      visibility: "lagging",
      lagSeconds: "2.5",
    });
    expect(html).toContain("The variants were set.");
    expect(await variantsOf(emulator)).toEqual({
      ...defaultVariants,
      names: "unique",
      configs: "merge",
      visibility: "lagging",
    });
    expect((await call(emulator, "GET", "/_emulator/lag")).body).toEqual({ seconds: 2.5 });
  });

  test("shows the command line and the request that give the variants in force", async () => {
    const emulator = await startEmulator({ variants: { names: "unique", configs: "merge" } });
    const page = await open(emulator, "/console/variants");
    expect(textOf(page.html)).toContain("npm run emulator -- --variant configs=merge --variant names=unique");

    const other = await startEmulator();
    await runCommand(other, page, "PATCH");
    expect(await variantsOf(other)).toEqual(await variantsOf(emulator));
  });

  test("sets all variants to their defaults", async () => {
    const emulator = await startEmulator({ variants: { names: "unique", configs: "merge" } });
    const { html } = await send(emulator, "/console/variants/reset");
    expect(textOf(html)).toContain("All variants have their defaults.");
    expect(await variantsOf(emulator)).toEqual(defaultVariants);
  });

  test.each([
    [{ configs: "odd", names: "unique" }, "cannot be &quot;odd&quot;. It can be: replace, merge, merge-patch"],
    [{ names: "unique", lagSeconds: "-1" }, "lagSeconds: "],
    [{ names: "unique", lagSeconds: "soon" }, "lagSeconds: "],
  ])("refuses %j, and changes nothing", async (fields, problem) => {
    const emulator = await startEmulator();
    const { status, html } = await send(emulator, "/console/variants", fields);
    expect(status).toBe(422);
    expect(html).toContain(problem);
    expect(await variantsOf(emulator)).toEqual(defaultVariants);
  });
});

describe("the page of faults", () => {
  test("describes every kind, with a request that adds such a fault", async () => {
    const emulator = await startEmulator();
    const page = await open(emulator, "/console/faults");
    for (const kind of Object.keys(faultKinds)) expect(page.html).toContain(`<section class="described" id="${kind}">`);
    await runCommand(emulator, page, "POST");
    const { body } = await call(emulator, "GET", "/_emulator/faults");
    const added = Array.isArray(body) ? body.map((fault) => Object(fault).kind) : [];
    expect(added).toEqual(Object.keys(faultKinds));
  });

  test("adds a fault by its form, and shows it until a request has met it", async () => {
    const emulator = await startEmulator();
    const { html } = await send(emulator, "/console/faults", {
      fault: '{"kind": "status", "status": 418, "times": 1.0}',
    });
    expect(html).toContain("The fault status was added.");
    expect(unescaped(textOf(html))).toContain('status{"times":1,"status":418}');
    expect((await call(emulator, "GET", "/v2/tenants")).status).toBe(418);
    expect((await open(emulator, "/console/faults")).html).toContain("No faults: every request is answered as usual.");
  });

  test("puts the example of a kind into the form", async () => {
    const emulator = await startEmulator();
    const example = async (query: string) => {
      const { html } = await open(emulator, `/console/faults${query}`);
      const [, text = ""] = /<textarea[^>]*>([\s\S]*?)<\/textarea>/.exec(html) ?? [];
      return JSON.parse(text.replaceAll("&quot;", '"'));
    };
    expect(await example("?kind=rate-limit")).toEqual(faultKinds["rate-limit"].example);
    expect(await example("?kind=nothing")).toEqual(faultKinds.status.example);
  });

  test.each([
    ["not JSON", "{kind", "must be a JSON object"],
    ["an unknown kind", '{"kind": "explode"}', "The fault is not valid"],
    ["a path that is no regular expression", '{"kind": "html", "match": {"path": "("}}', "regular expression"],
  ])("refuses %s, and shows it again", async (_, fault, problem) => {
    const emulator = await startEmulator();
    const { status, html } = await send(emulator, "/console/faults", { fault });
    expect(status).toBe(422);
    expect(html).toContain(problem);
    expect(html.replaceAll("&quot;", '"')).toContain(`${fault}</textarea>`);
    expect((await call(emulator, "GET", "/_emulator/faults")).body).toEqual([]);
  });

  test("removes all faults", async () => {
    const emulator = await startEmulator();
    emulator.fault({ kind: "html", times: 9 });
    await send(emulator, "/console/faults/clear");
    expect((await call(emulator, "GET", "/v2/tenants")).status).toBe(200);
  });
});

async function variantsOf(emulator: Emulator): Promise<unknown> {
  return (await call(emulator, "GET", "/_emulator/variants")).body;
}

/** Sends the requests that the curl commands of a page describe. */
async function runCommand(emulator: Emulator, { html }: Page, method: "PATCH" | "POST"): Promise<void> {
  const command = new RegExp(
    `curl -X ${method} \\S+?(/_emulator/\\w+) -H 'content-type: application/json' -d '(.+?)'`,
    "g",
  );
  const commands = [...unescaped(html).matchAll(command)];
  expect(commands.length).toBeGreaterThan(0);
  for (const [, path = "", body = ""] of commands) {
    expect((await call(emulator, method, path, body, { "content-type": "application/json" })).status).toBe(200);
  }
}

function textOf(html: string): string {
  return html.replace(/<[^>]+>/g, "").replace(/\s+/g, " ");
}

function unescaped(html: string): string {
  return html.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}
