import { describe, expect, test } from "vitest";
import { renderHtml } from "../../../src/cli/rollout/render-html.ts";
import type { Rollout } from "../../../src/cli/rollout/rollout-status.ts";

const hostile = '</code></td><script>alert(1)</script><img src=x onerror="alert(1)">\u202e\n';

const rollout: Rollout = {
  urn: "urn:pulumi:test::tenants::integration-platform:index:FleetRollout::billing",
  fleet: hostile,
  release: hostile,
  releaseId: 501,
  attempt: 2,
  direction: "forward",
  phase: "waiting",
  status: hostile,
  moved: 1,
  tenants: 2,
  onFailure: "pause",
  isPaused: true,
  waves: [
    {
      name: hostile,
      state: "soaking",
      ...{ tenants: 1, proven: 1, skipped: 0, left: 0, failed: 0, open: 0 },
      waitsFor: [`approvals.${hostile}`],
    },
  ],
  exceptions: [{ tenantId: 5001, tenant: hostile, wave: hostile, outcome: "failed", reason: hostile }],
  remaining: hostile,
  history: [
    {
      ...{ release: 501, label: hostile, attempt: 1, outcome: "failed", at: hostile, reason: hostile },
      ...{ proven: 0, skipped: 0, left: 0, failed: 1 },
    },
  ],
};
const head = { project: "tenants", platform: "https://platform.example.com", createdAt: "2026-11-22T05:17:00Z" };

describe("the page of rollouts", () => {
  const page = renderHtml({ stack: hostile, project: "tenants", rollouts: [rollout], unreadable: [] }, head);

  test("escapes every value, and has no script", () => {
    expect(page.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(10);
    expect(page).not.toMatch(/<script|<img|\u202e/);
    expect(page).toMatch(
      /Content-Security-Policy" content="default-src (&#39;|')none(&#39;|'); style-src [^"]*sha256-/,
    );
    expect(page).not.toMatch(/script-src/);
  });

  test("has the head, the summary, the waves, the tenants and the history", () => {
    expect(page).toContain("<dt>Project</dt><dd>tenants</dd>");
    expect(page).toContain('<p class="summary">1 rollout: 1 waiting.</p>');
    expect([...page.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, title]) => title)).toEqual(["Waves", "Tenants", "History"]);
    expect(page).toContain('<td data-label="State"><code>soaking</code></td>');
    expect(page).toContain("Paused: no tenant moves while `paused` is true.");
  });

  test("names the rollouts that could not be read", () => {
    const unreadable = [{ urn: "urn:pulumi:test::x", problem: "phase must be one of these" }];
    const text = renderHtml({ stack: "test", project: undefined, rollouts: [], unreadable }, head);
    expect(text).toContain("<li>Not readable: <code>urn:pulumi:test::x</code> phase must be one of these</li>");
    expect(text).toContain("The stack has no rollouts.");
  });
});
