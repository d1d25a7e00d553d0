import { createServer } from "node:http";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { runCommand } from "../../engine/run-command.ts";
import { chromiumSetUpSeconds, launchChromium } from "../chromium.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { listen } from "../listen.ts";
import { documents, repository } from "./documents.ts";

let browser: Browser;
let site: string;

beforeAll(
  () =>
    endAfterTests(async (open) => {
      await buildSite();
      const app = new Hono().use(serveStatic({ root: join(repository, "dist/site") }));
      const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
      site = await listen(server);
      open.defer(async () => {
        server.close();
        server.closeAllConnections();
      });
      browser = open.adopt(await launchChromium(), (one) => one.close());
    }),
  (300 + chromiumSetUpSeconds) * 1000,
);

describe("the site of the documents", { timeout: 60_000 }, () => {
  test("begins with what the project is, its features and the recording of the demo", async () => {
    const page = await openPage("/");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("pulumi-integration-platform");
    expect(await page.locator(".VPFeature").count()).toBe(6);
    const picture = page.getByRole("img", { name: "The demo: " });
    await picture.scrollIntoViewIfNeeded();
    expect(await page.evaluate('document.querySelector(".VPHome .vp-doc img").naturalWidth')).toBeGreaterThan(500);
    await page.getByRole("link", { name: "Your first stack" }).first().click();
    await page.waitForURL("**/guides/first-stack.html");
  });

  test("finds a word in the documents", async () => {
    const page = await openPage("/");
    await page.getByRole("button", { name: "Search" }).click();
    await page.locator("#localsearch-input").fill("adopt");
    const results = page.locator(".VPLocalSearchBox .result");
    await results.first().waitFor();
    expect(await results.count()).toBeGreaterThan(3);
    await results.first().click();
    await page.waitForURL(/\.html/);
    await page.locator("main").filter({ hasText: /adopt/i }).waitFor();
  });

  test("becomes dark and light by a switch", async () => {
    const page = await openPage("/concepts.html");
    const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await background();
    await page.getByRole("switch", { name: "Switch to dark theme" }).click();
    await page.locator("html.dark").waitFor();
    await expect.poll(background).not.toBe(light);
    await page.getByRole("switch", { name: "Switch to light theme" }).click();
    await expect.poll(background).toBe(light);
  });

  test("links a page to its source in the repository, except for what is generated", async () => {
    const page = await openPage("/guides/first-stack.html");
    const link = page.getByRole("link", { name: "Edit this page" });
    expect(await link.getAttribute("href")).toMatch(/^https:\/\/.+\/edit\/main\/docs\/guides\/first-stack\.md$/);
    await page.goto(`${site}/reference/tenant.html`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await link.count()).toBe(0);
  });

  test("shows the inputs of a resource in a table, and the types of the client", async () => {
    const page = await openPage("/reference/tenant.html");
    await page.getByRole("table").getByText("forceArchive").first().waitFor();
    await page.goto(`${site}/reference/api/api.html`);
    await page.getByRole("heading", { name: "createClient" }).first().waitFor();
  });

  test("shows braces of a document as they are written", async () => {
    const page = await openPage("/guides/drift.html");
    expect(await page.locator("main").textContent()).toContain("{{ github.run_id }}");
  });
});

describe("every page of the site", { timeout: 480_000 }, () => {
  test("is in the sidebar, loads without errors, and leads to pages and headings that exist", async () => {
    const page = await openPage("/concepts.html");
    const paths = await valuesOf(page, ".VPSidebar a.link", "pathname");
    const pages = documents.filter((path) => path.startsWith("docs/")).map(pathOnSite);
    expect(pages.length).toBeGreaterThan(60);
    pages.push("/reference/api/api.html", "/reference/api/emulator.html");
    expect(paths).toEqual(expect.arrayContaining(pages));

    const anchors = new Map<string, ReadonlySet<string>>();
    const links: { readonly from: string; readonly to: string }[] = [];
    const unseen = [...paths];
    const visit = async (page: Page) => {
      for (let path = unseen.pop(); path !== undefined; path = unseen.pop()) {
        const response = await page.goto(`${site}${path}`, { waitUntil: "networkidle" });
        expect(response?.status(), path).toBe(200);
        expect(await page.getByRole("heading", { level: 1 }).count(), path).toBe(1);
        anchors.set(path, new Set(await valuesOf(page, "[id]", "id")));
        const found = await valuesOf(page, "#VPContent a[href]", "href");
        links.push(...found.filter((to) => to.startsWith(site)).map((to) => ({ from: path, to })));
      }
    };
    const others = await Promise.all(Array.from({ length: 3 }, () => openPage("/concepts.html")));
    await Promise.all([page, ...others].map(visit));

    expect(links.length).toBeGreaterThan(500);
    const isBroken = (to: string) => {
      const { pathname, hash } = new URL(to);
      const ids = anchors.get(pathname);
      return ids === undefined || (hash !== "" && !ids.has(decodeURIComponent(hash.slice(1))));
    };
    expect(links.filter(({ to }) => isBroken(to))).toEqual([]);
  });
});

/** Builds the site as `npm run docs` does, from the pages of the reference as they are: another test checks them. */
async function buildSite(): Promise<void> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(NODE_ENV$|SITE_BASE$|VITEST)/.test(name));
  const script = join(repository, "scripts/docs/build-site.ts");
  const options = { cwd: repository, env: Object.fromEntries(inherited), timeLimitSeconds: 300 };
  const { code, stdout, stderr } = await runCommand(process.execPath, [script], options);
  if (code !== 0) throw new Error(`The site cannot be built.\n${stdout}${stderr}`);
}

/** Opens a page of the site. The test fails if this page, or a later one, logs an error or requests what does not exist. */
async function openPage(path: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: "light" });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(`${page.url()}: ${error}`));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${page.url()}: ${message.text()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) errors.push(`${page.url()}: ${response.status()} ${response.url()}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(errors).toEqual([]);
  });
  await page.goto(`${site}${path}`, { waitUntil: "networkidle" }); // then the page reacts to clicks
  return page;
}

/** The path on the site of a document: `/guides/drift.html` of `docs/guides/drift.md`. */
function pathOnSite(document: string): string {
  return document
    .replace(/^docs/, "")
    .replace(/\.md$/, ".html")
    .replace(/\/index\.html$/, "/");
}

/** The values that a property of the elements has in the page. */
async function valuesOf(page: Page, selector: string, property: "pathname" | "id" | "href"): Promise<string[]> {
  const expression = `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.${property})`;
  return z.array(z.string()).parse(await page.evaluate(expression));
}
