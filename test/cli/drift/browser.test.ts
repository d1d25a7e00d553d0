import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { renderHtml } from "../../../src/cli/drift/render-html.ts";
import type { Difference } from "../../../src/cli/drift/tenant-differences.ts";
import { chromiumSetUpSeconds, launchChromium } from "../../chromium.ts";

const hostile = '</code><script>document.title = "owned"</script><img src=x onerror=\'document.title = "owned"\'>';
const long = "x".repeat(400);

function difference(tenant: string, tenantId: number, more: Partial<Difference> = {}): Difference {
  const value = { path: ["paused"], declared: false, actual: true, isSecret: false, changedOn: "platform" } as const;
  return { tenant, tenantId, resource: `Tenant ${tenant}`, ...value, ...more };
}

const differences = [
  ...Array.from({ length: 60 }, (_, index) => difference(`customer-${index}`, 5000 + index)),
  difference("customer-7", 5007, { path: ["configs", "region"], declared: "eu", actual: "us", changedOn: "program" }),
  difference(hostile, 6001, { path: ["configs", hostile], declared: hostile, actual: long }),
];

let browser: Browser;
let folder: string;
beforeAll(async () => {
  browser = await launchChromium();
  folder = await mkdtemp(join(tmpdir(), "drift-report-"));
  const drift = { stack: "production", tenants: 100, valuesNotCompared: 0, differences, archives: [], overrides: [] };
  const head = { project: "tenants", platform: "https://platform.example.com", createdAt: "2026-11-22T05:17:00Z" };
  await writeFile(join(folder, "drift.html"), renderHtml(drift, head));
}, chromiumSetUpSeconds * 1000);
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

describe("the drift report in a browser", { timeout: 60_000 }, () => {
  test("runs no script of a value, loads nothing, and breaks no rule of its own policy", async () => {
    const requests: string[] = [];
    const { page, problems } = await open({}, (opened) => opened.on("request", (one) => requests.push(one.url())));
    expect(await page.title()).toBe("Drift of stack production, 2026-11-22T05:17:00Z");
    expect(await page.locator("img").count()).toBe(0);
    expect(requests).toHaveLength(1);
    expect(problems).toEqual([]);
    const background = await page.evaluate("getComputedStyle(document.querySelector('td code')).backgroundColor");
    expect(background).toBe("rgb(243, 244, 246)");
  });

  test("shows equal changes as one, and leads from a tenant to its differences", async () => {
    const { page } = await open();
    const group = page.locator("details", { hasText: "60 tenants" });
    const link = group.getByRole("link", { name: "customer-7 (5007)" });
    expect(await link.isVisible()).toBe(false);
    await group.locator("summary").click();
    await link.click();
    expect(new URL(page.url()).hash).toBe("#tenant-5007");
    const rows = page.locator("article:target tbody tr");
    expect(await rows.count()).toBe(2);
    expect(await page.locator("article:target").innerText()).toContain("Declared, but not applied");
  });

  test("filters by tenant, field and value, and counts what is left", async () => {
    const { page } = await open();
    const visible = () => page.locator("article:visible").count();
    const filter = async (text: string) => {
      await page.getByLabel("Filter").fill(text);
      return visible();
    };
    expect(await visible()).toBe(61);
    expect(await filter("CUSTOMER-7")).toBe(1);
    expect(await page.locator("output").innerText()).toBe("1 of 61 tenants");
    expect(await filter("region")).toBe(1);
    expect(await page.getByRole("heading", { name: "Changed on the platform" }).isVisible()).toBe(false);
    expect(await filter("nothing of this")).toBe(0);
    expect(await filter("")).toBe(61);
  });

  test("shows everything without a script, and no filter", async () => {
    const { page } = await open({ javaScriptEnabled: false });
    expect(await page.locator("article:visible").count()).toBe(61);
    expect(await page.locator("#filter").isVisible()).toBe(false);
  });

  test.each(["light", "dark"] as const)("fits a phone of 390 pixels, %s", async (colorScheme) => {
    const { page } = await open({ viewport: { width: 390, height: 844 }, colorScheme });
    for (const summary of await page.locator("summary").all()) await summary.click();
    const width = await page.evaluate("document.documentElement.scrollWidth");
    expect(width).toBe(390);
    const muted = await page.evaluate("getComputedStyle(document.querySelector('.legend')).color");
    expect(muted).toBe(colorScheme === "dark" ? "rgb(168, 176, 187)" : "rgb(75, 85, 99)");
  });

  test("prints the tenants of every group, without the filter", async () => {
    const { page } = await open();
    await page.emulateMedia({ media: "print" });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.getByRole("link", { name: "customer-59 (5059)" }).first().isVisible()).toBe(true);
    expect(await page.locator("#filter").isVisible()).toBe(false);
  });
});

/** The report in a page of its own, with what the browser's console says against it. */
async function open(options: BrowserContextOptions = {}, watch: (page: Page) => void = () => {}) {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(error.message));
  watch(page);
  await page.goto(pathToFileURL(join(folder, "drift.html")).href);
  return { page, problems };
}
