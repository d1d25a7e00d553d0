import { describe, expect, test } from "vitest";
import { call, ids, startEmulator } from "../running-emulator.ts";

describe("integrations", () => {
  test("lists them by id", async () => {
    const emulator = await startEmulator();
    const { status, body } = await call(emulator, "GET", "/v2/integrations");
    expect(status).toBe(200);
    expect(ids(body)).toEqual([101, 102, 103]);
  });

  test("sorts and pages them", async () => {
    const emulator = await startEmulator();
    const { body } = await call(emulator, "GET", "/v2/integrations?sort_by=name__DESC&limit=2&skip=1");
    expect(body).toMatchObject([{ name: "hr-to-payroll" }, { name: "crm-to-billing" }]);
  });

  test("lists archived integrations separately", async () => {
    const emulator = await startEmulator({
      seed: {
        integrations: [
          { id: 1, name: "live" },
          { id: 2, name: "old", archived: true },
        ],
      },
    });
    expect(ids((await call(emulator, "GET", "/v2/integrations")).body)).toEqual([1]);
    expect(ids((await call(emulator, "GET", "/v2/integrations?archived=true")).body)).toEqual([2]);
  });

  test("gives one integration, with only the fields of the specification", async () => {
    const emulator = await startEmulator();
    const { status, body } = await call(emulator, "GET", "/v2/integrations/102");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: 102,
      default_release_channel: "Latest",
      default_release_id: null,
      type: "Internal",
    });
    expect(body).not.toHaveProperty("default_schedule");
    expect(body).not.toHaveProperty("releases");
  });

  test.each([
    ["/v2/integrations/999", 404, { message: "Integration 999 not found" }],
    ["/v2/integrations/abc", 422, { detail: [{ loc: ["path", "integration_id"] }] }],
    ["/v2/integrations?limit=ten", 422, { detail: [{ loc: ["query", "limit"] }] }],
    ["/v2/integrations?limit=0", 422, { detail: [{ loc: ["query", "limit"] }] }],
    ["/v2/integrations?skip=-1", 422, { detail: [{ loc: ["query", "skip"] }] }],
    ["/v2/integrations?archived=perhaps", 422, { detail: [{ loc: ["query", "archived"] }] }],
    ["/v2/integrations?sort_by=colour__ASC", 422, { detail: [{ loc: ["query", "sort_by"] }] }],
    ["/v2/integrations?sort_by=name", 422, { detail: [{ loc: ["query", "sort_by"] }] }],
  ])("answers GET %s with %d", async (path, status, body) => {
    const emulator = await startEmulator();
    expect(await call(emulator, "GET", path)).toMatchObject({ status, body });
  });
});

describe("releases", () => {
  test("lists those of an integration", async () => {
    const emulator = await startEmulator();
    const { status, body } = await call(emulator, "GET", "/v2/integrations/101/releases");
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { id: 901, tag: "v1.0.0" },
      { id: 902, tag: "v1.1.0" },
    ]);
    expect(body).not.toMatchObject([{ integration_id: 101 }, {}]);
  });

  test("gives one by id, with its schemas", async () => {
    const emulator = await startEmulator();
    const { body } = await call(emulator, "GET", "/v2/integrations/101/releases/902");
    expect(body).toMatchObject({
      id: 902,
      config_version: "0.4",
      config_schema: {
        schema: { properties: { region: { enum: expect.arrayContaining(["eu"]) }, currency: { default: "EUR" } } },
        uischema: { type: "VerticalLayout" },
      },
      metadata_schema: { schema: { type: "object" } },
    });
  });

  test.each([
    ["101/releases/default", 901],
    ["101/releases/latest", 902],
    ["102/releases/default", 912],
    ["102/releases/latest", 912],
  ])("gives %s", async (path, id) => {
    const emulator = await startEmulator();
    expect(await call(emulator, "GET", `/v2/integrations/${path}`)).toMatchObject({ status: 200, body: { id } });
  });

  test("follows a new release to the latest", async () => {
    const emulator = await startEmulator();
    await call(emulator, "POST", "/_emulator/integrations/101/releases", { id: 950, name: "v2", tag: "v2.0.0" });
    expect(await call(emulator, "GET", "/v2/integrations/101/releases/latest")).toMatchObject({ body: { id: 950 } });
    expect(await call(emulator, "GET", "/v2/integrations/101/releases/default")).toMatchObject({ body: { id: 901 } });
  });

  test.each([
    ["999/releases", 404, { message: "Integration 999 not found" }],
    ["abc/releases", 422, { detail: [{ loc: ["path", "integration_id"] }] }],
    ["101/releases/911", 404, { message: "Release 911 of integration 101 not found" }],
    ["101/releases/abc", 422, { detail: [{ loc: ["path", "release_id"] }] }],
    ["abc/releases/default", 422, { detail: [{ loc: ["path", "integration_id"] }] }],
    ["abc/releases/latest", 404, { message: "Integration abc not found" }],
    ["999/releases/default", 404, { message: "Integration 999 not found" }],
  ])("answers GET of %s with %d", async (path, status, body) => {
    const emulator = await startEmulator();
    expect(await call(emulator, "GET", `/v2/integrations/${path}`)).toMatchObject({ status, body });
  });

  test("has none when an integration has no release", async () => {
    const emulator = await startEmulator({ seed: { integrations: [{ id: 1, name: "bare" }] } });
    for (const which of ["default", "latest"]) {
      expect((await call(emulator, "GET", `/v2/integrations/1/releases/${which}`)).status).toBe(404);
    }
    expect((await call(emulator, "GET", "/v2/integrations/1/releases")).body).toEqual([]);
  });
});
