// What the next `up` of the stack's file does in an incident, by the code that an `up` runs.
import { describe, expect, test } from "vitest";
import { createClient } from "../../../src/api/index.ts";
import { readStackFile } from "../../../src/cli/stack-file.ts";
import { createManualClock } from "../../../src/emulator/index.ts";
import { createOperationContext } from "../../../src/operation/operation-context.ts";
import { tenantFleetLifecycle } from "../../../src/resources/tenant-fleet/lifecycle.ts";
import { tenantFleetInputsSchema, tenantFleetStateSchema } from "../../../src/resources/tenant-fleet/schema.ts";
import { overrideFor, writtenRelation } from "../../../src/stack/declarations/override-for.ts";
import { declaredFleets } from "../../../src/stack/program/fleets.ts";
import { projectOf } from "../../../src/stack/yaml/project.ts";
import { type Incident, openIncident } from "./incident-fixture.ts";

const production = "Pulumi.production.yaml";
const pauseBilling = ["pause", "--integration", "billing", "--reason", "INC-42"];

describe.concurrent("the next up resumes nobody", () => {
  test.each([
    ["has ended", "before"],
    ["is in force and ends during the incident", "after"],
  ])("if tenants that declare no `paused` were paused by an override that %s", async (_, end) => {
    await using on = await openIncident(undefined, { clock: createManualClock(new Date().toISOString()) });
    const until = new Date((await timeOf(on)) + 100_000).toISOString();
    const overrides = `  integration-platform:overrides: { paused: true, reason: CHG-7, until: "${until}" }\n`;
    await on.write(production, fileOf(on, "acme: {}, bluebird: {}, dune: { paused: false }") + overrides);
    const first = await up(on);
    expect(await on.running()).toEqual(["fjord"]);

    if (end === "before") await on.emulator.advance({ seconds: 150 });
    await on.succeed(...pauseBilling);
    if (end === "after") await on.emulator.advance({ seconds: 150 });
    const during = await up(on, first);
    expect(await on.running()).toEqual(["fjord"]);

    await on.succeed("resume");
    await up(on, during);
    expect(await on.running()).toEqual(["acme", "bluebird", "dune", "fjord"]);
  });

  test("if somebody has renamed a tenant by hand", async () => {
    await using on = await openIncident();
    await on.write(production, fileOf(on, "acme: { paused: false }, bluebird: { paused: false }"));
    const first = await up(on);
    await on.change(1, { name: "acme-ltd" });
    const { code, stdout } = await on.run(...pauseBilling, "--where", 'name == "acme-ltd"');
    expect([code, stdout]).toEqual([0, expect.stringContaining("its next `up` would resume 1 tenant")]);
    await up(on, first);
    expect(await on.running()).toEqual(["bluebird", "dune", "fjord"]);
  });

  test("if a merged commit has given a tenant another key, and its up has not run", async () => {
    await using on = await openIncident();
    await on.write(production, fileOf(on, "acme: { paused: false }, bluebird: {}"));
    const first = await up(on);
    await on.write(production, fileOf(on, "acme-eu: { aliases: [acme], paused: false }, bluebird: {}"));
    await on.succeed(...pauseBilling);
    await up(on, first);
    expect(await on.running()).toEqual(["fjord"]);
  });

  test("if it creates a tenant of an integration that is paused as a whole, until that is resumed", async () => {
    await using on = await openIncident();
    await on.write(production, fileOf(on, "new: { paused: false }"));
    await on.succeed(...pauseBilling);
    expect(await on.read(production)).toContain("reason: INC-42");
    await on.succeed("resume");
    expect(await on.read(production)).not.toContain("INC-42");
  });
});

describe.concurrent("tenants that are not live", () => {
  const sandbox = "Pulumi.sandbox.yaml";
  const ofAcme = ["--where", 'name == "acme"'];

  test.each<[string, string[], string, boolean]>([
    ["whose platform is not known, if the whole integration is paused", [], "box1: { paused: false }", false],
    ["whose platform is not known, if a part of it is paused", ofAcme, "box1: { paused: false }", false],
    [
      "of this platform, if another one declares the tenant that is paused",
      ofAcme,
      "bluebird: { paused: false }, new: { paused: false }",
      true,
    ],
  ])("are left in a stack %s", async (_, where, tenants, hasAddress) => {
    await using on = await openIncident();
    await on.write(production, fileOf(on, "acme: { paused: false }"));
    const text = fileOf(on, tenants);
    const other = hasAddress ? text : text.replace(/.*baseUrl.*\n/, "");
    await on.write(sandbox, other);
    await on.succeed(...pauseBilling, ...where);
    expect(await on.read(sandbox)).toBe(other);
  });

  test("and stay covered are named by a resume of a tenant that was renamed", async () => {
    await using on = await openIncident();
    await on.write(production, fileOf(on, "acme: { paused: false }, bluebird: { paused: false }"));
    await on.change(1, { name: "acme-ltd" });
    await on.succeed(...pauseBilling);
    const { code, stdout } = await on.run("resume", "--where", 'name == "acme-ltd"');
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "Its override still covers acme, as a tenant may have been renamed",
    );
    await on.succeed("resume");
    expect(await on.read(production)).not.toContain("INC-42");
  });
});

function fileOf({ emulator }: Incident, tenants: string): string {
  return `config:
  integration-platform:baseUrl: ${emulator.url}
  integration-platform:fleets: { main: { integration: billing, adopt: true, tenants: { ${tenants} } } }
`;
}

interface Upped {
  id: string;
  state: object;
}

/** An `up` with a refresh of the only fleet of the stack's file. */
async function up(on: Incident, before?: Upped): Promise<Upped> {
  const { declarations, problems } = readStackFile({ env: {} }, `${on.folder}/${production}`, projectOf(on.folder));
  expect(problems).toEqual([]);
  const [fleet] = declarations.fleets.flatMap(declaredFleets);
  const args = fleet?.argsOf({}, (scope) => overrideFor(scope, declarations.overrides, writtenRelation));
  const inputs = tenantFleetInputsSchema.parse({ ...JSON.parse(JSON.stringify(args)), name: fleet?.key });
  const client = createClient({ baseUrl: on.emulator.url, apiKey: on.emulator.apiKey });
  const silent = { warn: () => {}, note: () => {} };
  const lifecycle = tenantFleetLifecycle(createOperationContext({ client, ...silent, consistencyTimeoutSeconds: 0.3 }));
  try {
    expect(await lifecycle.check(inputs, undefined)).toEqual([]);
    if (before === undefined) return await lifecycle.create(inputs);
    const read = await lifecycle.read(before.id, tenantFleetStateSchema.parse(before.state));
    if (read === undefined) throw new Error("the fleet is gone");
    await lifecycle.diff(before.id, read.state, inputs);
    return { id: before.id, state: await lifecycle.update(before.id, read.state, inputs) };
  } finally {
    await client.close();
  }
}

/** The platform's time in milliseconds. */
async function timeOf({ emulator }: Incident): Promise<number> {
  const { headers } = await fetch(`${emulator.url}/v2/tenants`, { headers: { "x-api-key": emulator.apiKey } });
  return Date.parse(headers.get("date") ?? "");
}
