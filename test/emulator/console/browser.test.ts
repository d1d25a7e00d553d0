import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Emulator, EmulatorOptions } from "../../../src/emulator/index.ts";
import { chromiumSetUpSeconds, launchChromium } from "../../chromium.ts";
import { call, install, numberAt, readTenant, startEmulator } from "../running-emulator.ts";
import { fillWithTenants } from "./sample-tenants.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
}, chromiumSetUpSeconds * 1000);
afterAll(() => browser?.close());

const timeout = 60_000;
const contrastsBelow = readFileSync(join(import.meta.dirname, "contrast.js"), "utf8")
  .trim()
  .replace(/;$/, "");

describe("in a browser", { timeout }, () => {
  test("a tenant is paused, disconnected, connected and archived by clicks", async () => {
    const { emulator, page, id } = await onTenantPage();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("The tenant was paused.").waitFor();
    expect(await readTenant(emulator, id)).toMatchObject({ paused: true });

    await page.getByRole("button", { name: "Disconnect crm" }).click();
    await page.getByText("crm is disconnected.").waitFor();
    expect(await readTenant(emulator, id)).toMatchObject({ status: { auth: { connected: false } } });
    await page.getByRole("button", { name: "Connect crm" }).click();
    await page.getByText("crm is connected.").waitFor();
    expect(await readTenant(emulator, id)).toMatchObject({ status: { auth: { connected: true } } });

    const archive = page.getByRole("button", { name: "Archive this tenant" });
    expect(await archive.isVisible()).toBe(false);
    await page.getByText("Archive…").click();
    await archive.click();
    await page.getByText("The tenant was archived.").waitFor();
    expect(await readTenant(emulator, id)).toMatchObject({ archived: true });
  });

  test("a new API key is shown once, and works", async () => {
    const { emulator, page } = await start();
    await page.goto(`${emulator.url}/console/settings`);
    await page.getByLabel("Name").fill("ci");
    await page.getByRole("button", { name: "Create key" }).click();
    const key = (await page.locator("[data-secret]").textContent()) ?? "";
    expect((await call(emulator, "GET", "/v2/tenants", undefined, { "x-api-key": key })).status).toBe(200);
    await page.reload();
    expect(await page.content()).not.toContain(key);
  });

  test("refused configs are shown again, with the problem", async () => {
    const { emulator, page, id } = await onTenantPage();
    await page.getByLabel("Configs", { exact: true }).fill('{"region": "mars"}');
    await page.getByRole("button", { name: "Save configs" }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).toContain("configs.region");
    await page.getByLabel("Configs", { exact: true }).fill('{"region": "us"}');
    await page.getByRole("button", { name: "Save configs" }).click();
    await page.getByText("The configs were saved.").waitFor();
    expect(await readTenant(emulator, id)).toMatchObject({ configs: { region: "us" } });
  });

  test("a page shows changes by the API without a reload, and keeps what somebody types", async () => {
    const { emulator, page, id } = await onTenantPage();
    await page.getByLabel("Metadata", { exact: true }).fill('{"plan": "mine"}');
    await call(emulator, "PATCH", `/v2/tenants/${id}`, { paused: true, configs: { region: "ap" } });
    await page.locator("#state").getByText("paused").waitFor();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    expect(await page.getByLabel("Configs", { exact: true }).inputValue()).toContain('"ap"');
    expect(await page.getByLabel("Metadata", { exact: true }).inputValue()).toBe('{"plan": "mine"}');
  });

  test("a form works without JavaScript", async () => {
    const { emulator, page, id } = await onTenantPage({ javaScriptEnabled: false });
    await page.getByText("Archive…").click();
    await page.getByRole("button", { name: "Archive this tenant" }).click();
    await page.getByText("The tenant was archived.").waitFor();
    expect(await readTenant(emulator, id)).toMatchObject({ archived: true });
  });

  test("the keyboard alone is enough to pause a tenant, and the focus is always visible", async () => {
    const { emulator, page, id } = await onTenantPage();
    await page.goto(`${emulator.url}/console/tenants`);
    await page.keyboard.press("Tab");
    expect(await focusedText(page)).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await tabTo(page, "acme");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/console/tenants/${id}`);
    await tabTo(page, "Pause");
    await page.keyboard.press("Enter");
    await page.getByText("The tenant was paused.").waitFor();
    expect(await readTenant(emulator, id)).toMatchObject({ paused: true });
  });

  test("an integration's page shows a tenant that moves to another release, without a reload", async () => {
    const { emulator, page } = await start({}, { clock: "manual" });
    const id = await install(emulator);
    await emulator.advance({ seconds: 3600 });
    await page.goto(`${emulator.url}/console/integrations/101`);
    await page.getByRole("img", { name: "Now: crm-to-billing v1.0.0: 1." }).waitFor();
    await call(emulator, "PATCH", `/v2/tenants/${id}`, { integration_release_id: 902 });
    await emulator.advance({ seconds: 3600 });
    await page.getByRole("img", { name: "Now: crm-to-billing v1.1.0: 1, crm-to-billing v1.0.0: 0." }).waitFor();
    const row = page.getByRole("table", { name: "Tenants by release" }).getByRole("row", { name: "v1.1.0" });
    expect(await row.textContent()).toMatch(/v1\.1\.0\s*1\s*100%/);
  });

  test("the bare address opens the console, which counts tenants as they come", async () => {
    const { emulator, page } = await start();
    await page.goto(emulator.url);
    expect(new URL(page.url()).pathname).toBe("/console");
    await page.getByText("No tenants yet: run").waitFor();
    await install(emulator);
    await page.getByRole("link", { name: "1 Tenants" }).waitFor();
    expect(await page.getByText("No tenants yet: run").count()).toBe(0);
  });

  test("the link to install a tenant by hand opens the form and puts the focus there", async () => {
    const { emulator, page } = await start();
    await page.goto(`${emulator.url}/console`);
    await page.getByRole("link", { name: "install a tenant by hand" }).click();
    await page.waitForURL("**/console/tenants#install-name");
    await page.keyboard.press("Tab");
    await page.keyboard.type("user-7");
    expect(await page.getByLabel("User name").inputValue()).toBe("user-7");
  });

  test("a variant is set by the keyboard, while another program sets another", async () => {
    const { emulator, page } = await start();
    await page.goto(`${emulator.url}/console/variants`);
    await page.getByRole("radio", { name: "merge-patch" }).first().focus();
    await page.keyboard.press("Space");
    await call(emulator, "PATCH", "/_emulator/variants", { names: "unique" });
    await page.locator('input[name="names"][value="unique"]:checked').waitFor({ state: "attached" });
    await page.keyboard.press("Enter");
    await page.getByText("The variants were set.").waitFor();
    const { body } = await call(emulator, "GET", "/_emulator/variants");
    expect(body).toMatchObject({ configs: "merge-patch", names: "unique", metadata: "merge" });
  });

  test("no page scrolls sideways on a phone, even with long names", async () => {
    const { emulator, page } = await start({ viewport: { width: 360, height: 740 } });
    const long = "a-name-without-any-space".repeat(8);
    const id = await install(emulator, { name: long, configs: { [long]: long }, user_schedule: "0 */6 * * *" });
    for (const path of await pagesOf(emulator, id)) {
      await page.goto(`${emulator.url}${path}`);
      const [width, wide] = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]").then(pair);
      expect(width, path).toBeLessThanOrEqual(wide);
    }
  });

  test.each(["light", "dark"] as const)("each release has a color that stands out in %s mode", async (colorScheme) => {
    const { emulator, page } = await start({ colorScheme }, { clock: "manual" });
    const names = ["v1", "v2", "v3", "v4", "v5"];
    for (const name of names) {
      const { body } = await call(emulator, "POST", "/_emulator/integrations/101/releases", { name });
      await install(emulator, { name, integration_release_id: numberAt(body, "id") });
    }
    await page.goto(`${emulator.url}/console/integrations/101`);
    const colors = (query: string, property: string) =>
      page
        .evaluate(`[...document.querySelectorAll("${query}")].map((found) => getComputedStyle(found).${property})`)
        .then(strings);
    const bands = await colors("svg .band", "fill");
    expect([bands.length, new Set(bands).size]).toEqual([5, 5]);
    expect(await colors(".swatch", "backgroundColor")).toEqual(bands);
    const [paper = ""] = await colors(".chart", "backgroundColor");
    for (const band of bands) expect(contrast(band, paper), `${band} on ${paper}`).toBeGreaterThan(3);
    const heights = await page.evaluate(
      `[...document.querySelectorAll("svg .band")].map((band) => band.getBoundingClientRect().height)`,
    );
    const [lowest = 0, highest = 0] = [Math.min, Math.max].map((most) => most(...strings(heights).map(Number)));
    expect(lowest).toBeGreaterThan(10);
    expect(highest - lowest, "a tenant of each release, so all bands are of one height").toBeLessThan(2);
  });

  test.each(["light", "dark"] as const)("has enough contrast in %s mode", async (colorScheme) => {
    const { emulator, page } = await start({ colorScheme });
    const id = await install(emulator);
    for (const path of await pagesOf(emulator, id)) {
      await page.goto(`${emulator.url}${path}`);
      expect(await page.evaluate(`(${contrastsBelow})(4.5)`), path).toEqual([]);
      expect(await page.evaluate(`(${contrastsBelow})(22)`), "the check looks at every text").not.toEqual([]);
    }
  });
});

// `CONSOLE_SCREENSHOTS=docs/guides` writes the screenshots into the documents.
test("screenshots of the list of tenants, light and dark", { timeout }, async () => {
  const folder = process.env.CONSOLE_SCREENSHOTS ?? (await temporaryFolder());
  for (const [colorScheme, name] of [
    ["light", "console.png"],
    ["dark", "console-dark.png"],
  ] as const) {
    const { emulator, page } = await start(
      { colorScheme, viewport: { width: 1180, height: 620 } },
      { clock: "manual" },
    );
    await fillWithTenants(emulator);
    await page.goto(`${emulator.url}/console/tenants`);
    await page.getByRole("button", { name: "Live" }).waitFor();
    const picture = await page.screenshot({ path: join(folder, name) });
    expect(picture.length).toBeGreaterThan(20_000);
  }
});

interface ContextOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  readonly javaScriptEnabled?: boolean;
}

/** An emulator and a page. The test fails when the page logs an error, such as a violation of its security policy. */
async function start(
  context: ContextOptions = {},
  options: EmulatorOptions = {},
): Promise<{ emulator: Emulator; page: Page }> {
  const emulator = await startEmulator(options);
  const browserContext = await browser.newContext(context);
  const page = await browserContext.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    const isExpectedStatus = /the server responded with a status of (404|422)/.test(message.text());
    if (message.type() === "error" && !isExpectedStatus) errors.push(message.text());
  });
  onTestFinished(async () => {
    await browserContext.close();
    expect(errors).toEqual([]);
  });
  return { emulator, page };
}

async function onTenantPage(context: ContextOptions = {}): Promise<{ emulator: Emulator; page: Page; id: number }> {
  const { emulator, page } = await start(context);
  const id = await install(emulator, { configs: { region: "eu" }, metadata: { plan: "gold" } });
  await page.goto(`${emulator.url}/console/tenants/${id}`);
  return { emulator, page, id };
}

async function pagesOf(emulator: Emulator, tenantId: number): Promise<string[]> {
  await call(emulator, "PATCH", "/_emulator/settings", { primary_contact: "someone@a-long-domain.example.com" });
  await call(emulator, "DELETE", `/v2/tenants/${tenantId}`);
  const open = await install(emulator, { name: "beta", user_schedule: "*/5 * * * *" });
  await call(emulator, "POST", `/v2/tenants/${open}/sync?mode=normal`);
  emulator.setVariants({ configs: "merge", absentField: "last_change" });
  emulator.fault({ kind: "status", status: 500, match: { path: `^/${"v2".repeat(90)}` } });
  return [
    "/console",
    "/console/tenants?archived=both",
    `/console/tenants/${tenantId}`,
    `/console/tenants/${open}`,
    "/console/integrations",
    "/console/integrations/101",
    "/console/runs",
    "/console/deliveries",
    "/console/requests",
    "/console/variants",
    "/console/faults",
    "/console/api",
    "/console/settings/api-access",
    "/console/settings/notifications",
    "/console/nothing",
  ];
}

async function focusedText(page: Page): Promise<string> {
  return String(await page.evaluate("document.activeElement.textContent.trim()"));
}

/** Presses Tab until the element with this text has the focus, and checks that every stop shows the focus. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let stops = 0; stops < 60; stops++) {
    await page.keyboard.press("Tab");
    const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
    expect(outline, `the outline of "${await focusedText(page)}"`).not.toBe("none");
    if ((await focusedText(page)) === text) return;
  }
  throw new Error(`Tab does not lead to "${text}"`);
}

/** The contrast of two colors (WCAG 2). */
function contrast(one: string, other: string): number {
  const luminance = (color: string) => {
    const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => linear(Number(part) / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function pair(value: unknown): readonly [number, number] {
  const [first, second] = Array.isArray(value) ? value : [];
  return [Number(first), Number(second)];
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "console-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
