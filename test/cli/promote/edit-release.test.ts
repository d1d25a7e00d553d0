import { describe, expect, test } from "vitest";
import { editRelease, setConfigKey } from "../../../src/cli/promote/edit-release.ts";

const wanted = { isIntegration: (declared: unknown) => declared === "crm" || declared === 101, tag: "v1.5.0", id: 88 };

/** A stack's file with this config. */
function file(config: string): string {
  return `# our customers\nconfig:\n${config.replaceAll(/^(?=.)/gm, "  ")}`;
}

/** The lines that differ. */
function diff(before: string, after: string): string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  return now.filter((line, at) => line !== old[at]).map((line) => line.trim());
}

describe("editRelease", () => {
  test("changes what tenants share, keeps comments, and leaves the releases that tenants have of their own", () => {
    const text = file(`integration-platform:tenantDefaults: # for all
  integration: crm
  release: { tag: v1.4.0 } # since May
integration-platform:groups:
  early: { release: { id: 77 } }
integration-platform:tenants:
  acme: {}
  bluebird: { groups: early }
  cedar: { release: { tag: v1.0.0 } } # pinned
`);
    const { text: edited, changed, left } = editRelease(text, wanted);
    expect(diff(text, edited)).toEqual(["release: { tag: v1.5.0 } # since May", "early: { release: { id: 88 } }"]);
    expect(changed).toEqual([
      { path: "tenantDefaults.release.tag", declared: "v1.4.0" },
      { path: "groups.early.release.id", declared: "77" },
    ]);
    expect(left).toEqual([{ path: "tenants.cedar.release.tag", declared: "v1.0.0", why: "pinned" }]);
    expect(editRelease(edited, wanted)).toMatchObject({ text: edited, changed: [] });
  });

  test("changes the tenants where nothing is shared, but not those of other integrations", () => {
    const text = file(`integration-platform:tenants:
  acme: { integration: crm, release: { tag: v1.4.0 } }
  shop: { integration: shop-to-erp, release: { tag: v1.4.0 } }
  byId: { integration: 101, release: { tag: v1.3.0 } }
`);
    expect(editRelease(text, wanted).changed.map(({ path }) => path)).toEqual([
      "tenants.acme.release.tag",
      "tenants.byId.release.tag",
    ]);
  });

  test("changes the defaults and groups of a fleet, with its rollout, and the tag of a build", () => {
    const text = file(`integration-platform:builds:
  crm: { integration: crm, tag: v1.4.0 }
integration-platform:fleets:
  billing:
    integration: crm
    defaults:
      release:
        build: crm
    groups:
      late: { release: { tag: v1.2.0 } }
    rollout: { waves: [{ percent: 10 }, { percent: 100 }] }
    tenants:
      acme: { release: { tag: v1.1.0 } }
  other: { integration: shop, defaults: { release: { tag: v1.4.0 } } }
`);
    const { changed, left } = editRelease(text, wanted);
    expect(changed.map(({ path }) => path)).toEqual(["builds.crm.tag", "fleets.billing.groups.late.release.tag"]);
    expect(left.map(({ path }) => path)).toEqual(["fleets.billing.tenants.acme.release.tag"]);
  });

  test("leaves what tenants of another integration have too, and says so", () => {
    const text = file(`integration-platform:tenantDefaults: { release: { tag: v1.4.0 } }
integration-platform:tenants:
  acme: { integration: crm }
  shop: { integration: shop }
`);
    expect(editRelease(text, wanted)).toMatchObject({
      text,
      left: [{ path: "tenantDefaults.release.tag", why: "shared by integrations" }],
    });
  });

  test("leaves a channel", () => {
    const text = file(`integration-platform:tenantDefaults: { integration: crm, release: { channel: Default } }
integration-platform:tenants: { acme: {} }
`);
    expect(editRelease(text, wanted).left).toEqual([
      { path: "tenantDefaults.release", declared: "Default", why: "channel" },
    ]);
  });

  test("finds nothing in a file without the integration", () => {
    expect(editRelease(file("aws:region: eu\n"), wanted)).toMatchObject({ changed: [], isDeclaredHere: false });
  });

  test.each([
    ["invalid YAML", "config: {"],
    [
      "an anchor that other tenants use",
      file(`integration-platform:tenants:
  acme: { integration: crm, release: &pinned { tag: v1.4.0 } }
  shop: { integration: shop, release: *pinned }
`),
    ],
  ])("refuses %s", (_, text) => {
    expect(() => editRelease(text, wanted)).toThrow(/invalid YAML|used at several places/);
  });
});

describe("setConfigKey", () => {
  test("changes one string, and its quotes if it needs them", () => {
    const text = file("shop:release: v1.4.0 # of the program\n");
    expect(diff(text, setConfigKey(text, "shop:release", "1.10").text)).toEqual([
      'shop:release: "1.10" # of the program',
    ]);
    expect(setConfigKey(text, "shop:release", "v1.4.0")).toMatchObject({ text, changed: [] });
  });

  test("refuses a key that is not there", () => {
    expect(() => setConfigKey(file("a:b: c\n"), "shop:release", "v1")).toThrow("has no key shop:release");
  });
});
