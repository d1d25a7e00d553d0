import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isSecret, resolved, type StackFolder, stackFolder } from "./stack-folder.ts";

let folder: StackFolder;
const read: StackFolder["read"] = (...args) => folder.read(...args);

beforeEach(async () => {
  folder = await stackFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

describe("readStack", () => {
  test("merges the defaults under each tenant: configs and metadata at every depth; the tenant replaces all other settings", async () => {
    const { tenants } = await read(`config:
  integration-platform:tenantDefaults:
    integration: crm
    release: { tag: v1 }
    configs: { region: eu, mapping: { a: x, b: y }, list: [1, 2] }
  integration-platform:tenants:
    acme:
      release: { channel: Latest }
      configs: { mapping: { b: z }, list: [3] }
    beta: { name: beta-2, integration: 7 }
`);
    expect(tenants.map(({ key, integration, args }) => ({ key, integration, ...args }))).toMatchObject([
      {
        key: "acme",
        integration: "crm",
        release: { channel: "Latest" },
        configs: { region: "eu", mapping: { a: "x", b: "z" }, list: [3] },
      },
      { key: "beta", name: "beta-2", integration: 7, release: { tag: "v1" } },
    ]);
  });

  test("accepts status words of connectors and runs, and refuses anything but a list of words", async () => {
    await read(`config:
  integration-platform:connectedStatuses: [linked, OK]
  integration-platform:notConnectedStatuses: unlinked
  integration-platform:succeededStatuses: [Processed, synced]
  integration-platform:failedStatuses: Broken
`);
    const wrong = "config:\n  integration-platform:notConnectedStatuses: { crm: unlinked }\n";
    await expect(read(wrong)).rejects.toThrow(/notConnectedStatuses.*must be a list of status words/);
    const number = "config:\n  integration-platform:failedStatuses: [7]\n";
    await expect(read(number)).rejects.toThrow(/failedStatuses.*must be a list of status words/);
  });

  test("keeps single values secret, of the tenant and of the defaults", async () => {
    const { tenants } = await read(
      `config:
  integration-platform:tenantDefaults:
    integration: crm
    configs: { shared: { secure: c1 }, region: eu }
  integration-platform:tenants:
    acme:
      configs:
        hosts: [{ name: a, token: { secure: c2 } }]
`,
      { decrypted: { c1: "shared-secret", c2: "own-secret" } },
    );
    const configs: Record<string, unknown> = Object(tenants[0]?.args.configs);
    const [host] = [configs.hosts].flat();
    expect(configs.region).toBe("eu");
    expect(await isSecret(configs.shared)).toBe(true);
    expect(await resolved(configs.shared)).toBe("shared-secret");
    expect(host).toMatchObject({ name: "a" });
    expect(await isSecret(Object(host).token)).toBe(true);
    expect(await resolved(Object(host).token)).toBe("own-secret");
  });

  test("lets a tenant replace a secret of the defaults by plaintext", async () => {
    const { tenants } = await read(
      `config:
  integration-platform:tenantDefaults: { integration: crm, configs: { token: { secure: c1 } } }
  integration-platform:tenants: { acme: { configs: { token: open } } }
`,
      { decrypted: { c1: "shared-secret" } },
    );
    expect(tenants[0]?.args.configs).toEqual({ token: "open" });
  });

  test("keeps a value secret that comes from a merged key or an alias, or is below a number", async () => {
    const { tenants } = await read(
      `config:
  integration-platform:tenants:
    acme: &acme { integration: crm, configs: { token: { secure: c1 }, region: eu } }
    beta: { <<: *acme, paused: true }
    gamma: { integration: crm, configs: { <<: { token: { secure: c1 } }, region: us } }
    42: { integration: crm, configs: { token: { secure: c1 } } }
`,
      { decrypted: { c1: "shared-secret" } },
    );
    expect(tenants.map(({ key }) => key).sort()).toEqual(["42", "acme", "beta", "gamma"]);
    for (const { args } of tenants) expect(await isSecret(Object(args.configs).token)).toBe(true);
  });

  test("takes all configs and metadata for secrets if the config does not come from the file", async () => {
    const file = "config: { integration-platform:tenants: { acme: { integration: crm } } }";
    const effective = "config: { integration-platform:tenants: { acme: { integration: crm, configs: { a: x } } } }";
    const { tenants } = await read(file, { effective });
    expect(await isSecret(tenants[0]?.args.configs)).toBe(true);
    expect(tenants[0]?.key).toBe("acme");
  });

  test("makes aliases the resource option of this name, for the tenant and its sync", async () => {
    const { tenants } = await read(
      "config: { integration-platform:tenants: { acme: { integration: crm, aliases: [a, b] } } }",
    );
    expect(tenants[0]?.options).toEqual({ aliases: [{ name: "a" }, { name: "b" }] });
    expect(tenants[0]?.syncOptions).toEqual({ aliases: [{ name: "a-sync" }, { name: "b-sync" }] });
  });

  test.each(["acme: { integration: crm, aliases: before }", 'acme: { integration: crm, aliases: [""] }'])(
    "refuses aliases that are not a list of former keys: %s",
    async (tenant) => {
      await expect(read(`config: { integration-platform:tenants: { ${tenant} } }`)).rejects.toThrow(
        /tenants\.acme\.aliases(\[0\])?: must (be a list of former keys|not be empty)/,
      );
    },
  );

  test("makes retainOnDelete the resource option of this name: the tenant's own, otherwise that of tenantDefaults", async () => {
    const { tenants } = await read(`config:
  integration-platform:tenantDefaults: { integration: crm, retainOnDelete: true }
  integration-platform:tenants: { acme: {}, beta: { retainOnDelete: false } }
`);
    expect(tenants.map(({ options }) => options.retainOnDelete)).toEqual([true, false]);
    for (const { args } of tenants) expect(args).not.toHaveProperty("retainOnDelete");
  });

  test("reads a stack without tenants", async () => {
    const { tenants, configText } = await read("config: { integration-platform:baseUrl: http://127.0.0.1:1 }");
    expect(tenants).toEqual([]);
    expect(configText("baseUrl")).toBe("http://127.0.0.1:1");
  });

  test("shows all problems of a file at once, with line, column and a suggestion", async () => {
    const reading = read(`config:
  integration-platform:tenantDefault: { integration: crm }
  integration-platform:tenants:
    acme:
      integration: crm
      shedule: "0 * * * *"
      release: { tag: v1, id: 4 }
      paused: "no"
    Beta_: { integration: crm, schedule: "61 * * * *" }
    gamma: { schedule: "* * * * *" }
    delta: { integration: crm, name: eps }
    eps: { integration: crm }
`);
    await expect(reading).rejects.toThrow(
      [
        "the stack's config has 8 problems; nothing has been changed:",
        '  Pulumi.test.yaml:2:3: tenantDefault: is not a setting of the stack; did you mean "tenantDefaults"?',
        '  Pulumi.test.yaml:6:7: tenants.acme.shedule: is not a setting of a tenant; did you mean "schedule"?',
        "  Pulumi.test.yaml:7:7: tenants.acme.release: must have exactly one of id, tag, channel and build",
        `  Pulumi.test.yaml:8:7: tenants.acme.paused: must be true or false; "yes", "no", "on" and "off" are strings`,
        `  Pulumi.test.yaml:9:5: tenants.Beta_: is the tenant's name, which must be lowercase letters, digits and "-", with "-" neither first nor last, such as "beta". Correct it, or set name`,
        "  Pulumi.test.yaml:9:32: tenants.Beta_.schedule: minute 61 is not 0 to 59",
        "  Pulumi.test.yaml:10:5: tenants.gamma: has no integration; set integration here or in tenantDefaults to the name or the id of one",
        '  Pulumi.test.yaml:12:5: tenants.eps: is a second declaration of tenant "eps", which tenants.delta (Pulumi.test.yaml:11:5) declares too: remove one of the two',
      ].join("\n"),
    );
  });

  test.each([
    ["nested too deep", '{"a":'.repeat(5000), "1", "}".repeat(5000), /configs\.a: is nested more than 200 levels deep/],
    [
      "with a key that objects treat in a special way",
      "",
      '{"b":{"__proto__":{}}}',
      "",
      /acme\.configs\.b: has a key __proto__/,
    ],
  ])("refuses config that is %s", async (_, open, inner, close, problem) => {
    await folder.put("Pulumi.test.yaml", "config: {}\n");
    const text = `{"acme":{"integration":"crm","configs":${open}${inner}${close}}}`;
    const reading = folder.readConfig({ "integration-platform:tenants": text });
    await expect(reading).rejects.toThrow(problem);
  });

  test("refuses numbers that JavaScript would change, with line and column, and accepts all others", async () => {
    const yaml = (account: string, ratio: string, huge: string) => `config:
  integration-platform:tenants:
    acme:
      integration: crm
      configs: { account: ${account}, ratio: ${ratio} }
      metadata: { list: [1, { huge: ${huge} }] }
`;
    const effective = yaml("9007199254740993", "0.1", '"1e400"'); // the engine makes a text of what is too large for it
    const refused = await folder.read(yaml("9007199254740993", "0.1", "1e400"), { effective }).then(
      () => "nothing",
      (error: Error) => error.message,
    );
    expect(refused).toMatch(
      /test\.yaml:5:27: tenants\.acme\.configs\.account: is a number that JavaScript cannot hold/,
    );
    expect(refused).toMatch(/test\.yaml:6:37: tenants\.acme\.metadata\.list\[1\]\.huge: is a number/);
    expect(refused.split("\n")).toHaveLength(3);
    expect(refused).not.toMatch(/900719|1e400/);
    const { tenants } = await folder.read(yaml("9007199254740991", "1.10", "1e21"));
    expect(tenants).toHaveLength(1);
  });

  test("does not take an object with a length for a string", async () => {
    const reading = read(
      "config: { integration-platform:tenants: { acme: { integration: { length: { toString: 1 } } } } }",
    );
    await expect(reading).rejects.toThrow(/tenants\.acme\.integration: must be the name or the id of an integration$/);
  });

  test("never shows a value", async () => {
    const reading = read(
      "config: { integration-platform:tenants: { acme: { integration: crm, configs: { secure: c1 } } } }",
      { decrypted: { c1: "hunter2" } },
    );
    await expect(reading).rejects.toThrow(/tenants\.acme\.configs: must be an object/);
    await expect(reading).rejects.not.toThrow(/hunter2/);
  });

  test("lets a tenant that is taken over keep its odd name and schedule", async () => {
    const { tenants } = await read(
      'config: { integration-platform:tenants: { x: { integration: crm, name: "Old Name", schedule: "@daily", adopt: 12 } } }',
    );
    expect(tenants[0]?.args).toMatchObject({ name: "Old Name", schedule: "@daily", adopt: 12 });
  });
});
