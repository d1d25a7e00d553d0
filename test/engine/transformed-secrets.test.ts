import { expect, test } from "vitest";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";

const token = 'token "that" nobody/may find';
const pin = "x4711";
const spellings = [token, JSON.stringify(token).slice(1, -1), encodeURIComponent(token), pin];

/** How secrets get into resources whose program declares none: the options of a resource with the secrets in these objects. */
const ways = {
  "a-transformation": "() => ({ transformations: [added] })",
  "a-transformation-of-the-stack": "() => ({})",
  "a-transformation-of-a-component": "(name) => ({ parent: new Group(name, { transformations: [added] }) })",
  "a-transform": "() => ({ transforms: [added] })",
  "a-transform-of-a-component": "(name) => ({ parent: new Group(name, { transforms: [added] }) })",
  "ignored-changes": `(_, ...paths) => isFirst
    ? { transformations: [({ props, opts }) => ({ props: withSecrets(props), opts })] }
    : { ignoreChanges: paths.flatMap((path) => Object.keys(secrets).map((key) => path + "." + key)) }`,
};

const program = (plan: "silver" | "gold") => `
  import * as pulumi from "@pulumi/pulumi";
  import { Tenant, TenantFleet, TenantMetadata } from "pulumi-integration-platform";
  class Group extends pulumi.ComponentResource {
    constructor(name, options) {
      super("test:index:Group", name, {}, options);
    }
  }
  const isFirst = ${plan === "silver"};
  const token = pulumi.secret(${JSON.stringify(token)});
  const pin = pulumi.secret(${JSON.stringify(pin)});
  const secrets = { token, pin, shops: [{ name: "one" }, { name: "two", token }], creds: { user: "u", token } };
  const withSecrets = ({ configs, metadata, data, tenants, ...props }) => ({
    ...props,
    ...(configs && { configs: { ...configs, ...secrets } }),
    ...(metadata && { metadata: { ...metadata, ...secrets } }),
    ...(data && { data: { ...data, ...secrets } }),
    ...(tenants && { tenants: Object.fromEntries(
      Object.entries(tenants).map(([key, tenant]) => [key, withSecrets(tenant)]),
    ) }),
  });
  const added = ({ props, opts }) => ({ props: isFirst ? props : withSecrets(props), opts });
  pulumi.runtime.registerStackTransformation((given) => given.name.endsWith("of-the-stack") ? added(given) : undefined);
  const integration = "crm-to-billing";
  const metadata = { plan: "${plan}" };
  const configs = { region: "eu" };
  for (const [name, optionsOf] of Object.entries({ ${Object.entries(ways).map(([name, options]) => `"${name}": ${options}`)} })) {
    const options = (kind, ...paths) => optionsOf(kind + "-" + name, ...paths);
    new Tenant("one-" + name, { integration, configs, metadata }, options("one", "configs", "metadata"));
    const tenants = { ["all-" + name]: { configs, metadata } };
    const inFleet = "tenants.all-" + name;
    new TenantFleet("fleet-" + name, { integration, tenants }, options("fleet", inFleet + ".configs", inFleet + ".metadata"));
    const { tenantId } = new Tenant("bare-" + name, { integration, configs }, options("bare", "configs"));
    new TenantMetadata("data-" + name, { tenantId, data: metadata }, options("data", "data"));
  }`;

test("keeps secrets that the class of a resource does not see out of the state and the output", async () => {
  await using platform = await openPlatform();
  await using project = await createProject({
    program: program("silver"),
    stackYaml: "config: {}\n",
    env: platform.env,
  });
  const expectNowhere = async () => {
    const { text } = await project.exportState();
    const lines = [...text.split("\n"), ...project.printed().split("\n")];
    const isShown = (line: string) =>
      spellings.some((secret) => line.includes(secret) || line.includes(JSON.stringify(secret).slice(1, -1)));
    expect(lines.filter(isShown)).toEqual([]);
    return text;
  };
  const refuse = () =>
    platform.emulator.fault({
      kind: "status",
      status: 422,
      body: {
        detail: [{ loc: ["body", "pin"], msg: `no such value: ${spellings.join(" or ")}`, type: "value_error" }],
      },
      match: { method: "PATCH", path: "/metadata$" },
      times: 999,
    });
  const setByHand = async (values: object) => {
    platform.emulator.clearFaults();
    for (const { name } of await platform.tenants()) {
      await platform.change(name, { configs: values });
      await platform.changeMetadata(name, values);
    }
  };
  const mustRefresh = () => project.mustRun(["refresh", "--yes", "--skip-preview", "--diff"]);
  await project.mustRun(["up", "--yes", "--skip-preview"]);

  await project.put("program.ts", program("gold"));
  refuse();
  expect((await project.up(["--continue-on-error"])).code).not.toBe(0);
  const refusals = (await expectNowhere()).match(/refused as invalid \(status 422\): pin: /g) ?? [];
  expect(refusals.length).toBeGreaterThanOrEqual(3 * Object.keys(ways).length);
  const live = await platform.tenants();
  expect(live.filter(({ configs }) => !JSON.stringify(configs).includes(JSON.stringify(token)))).toEqual([]);

  const moved = {
    region: "eu",
    token: null,
    pin,
    shops: [{ name: "two", token }, "more"],
    creds: { user: "u", key: token },
  };
  const movedAgain = { ...moved, token, creds: null };
  await setByHand(moved);
  await project.mustRun(["refresh", "--preview-only", "--diff"]);
  await mustRefresh();
  await expectNowhere();
  await setByHand(movedAgain);
  await mustRefresh();
  await expectNowhere();
  refuse();
  expect((await project.up(["--continue-on-error"])).code).not.toBe(0);
  await expectNowhere();

  platform.emulator.clearFaults();
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  await mustRefresh();
  await expectNowhere();
  await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
  await setByHand(moved);
  await mustRefresh();
  await setByHand(movedAgain);
  await mustRefresh();
  await expectNowhere();
});

test("keeps a transformation's secret that nothing declares any more out of the state when its update fails", async () => {
  const program = (token: string, tenants: string) => `
    import * as pulumi from "@pulumi/pulumi";
    import { Tenant, TenantFleet } from "pulumi-integration-platform";
    const configs = { region: "eu", token: ${token}, list: [${token}] };
    const integration = "crm-to-billing";
    const added = ({ props, opts }) => ({
      props: props.tenants ? { ...props, tenants: ${tenants} } : { ...props, configs },
      opts,
    });
    new Tenant("acme", { integration, configs: {} }, { transformations: [added] });
    new TenantFleet("all", { integration, tenants: {} }, { transformations: [added] });`;
  await using platform = await openPlatform();
  await using project = await createProject({
    program: program(`pulumi.secret(${JSON.stringify(token)})`, "{ first: { configs } }"),
    stackYaml: "config: {}\n",
    env: platform.env,
  });
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  await project.put("program.ts", program(`"known-to-all"`, `{ other: { aliases: ["first"], configs } }`));
  platform.emulator.fault({ kind: "status", status: 422, match: { method: "PATCH" }, times: 99 });
  expect((await project.up(["--continue-on-error"])).code).not.toBe(0);
  const states = [await project.exportState()];
  platform.emulator.clearFaults();
  await project.mustRun(["refresh", "--yes", "--skip-preview", "--diff"]);
  states.push(await project.exportState());
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  states.push(await project.exportState());
  const isShown = (text: string) => text.includes(token) || text.includes(JSON.stringify(token).slice(1, -1));
  expect([...states.map(({ text }) => text), project.printed()].filter(isShown)).toEqual([]);
  expect((await platform.tenants()).map(({ configs }) => configs.token)).toEqual(["known-to-all", "known-to-all"]);
});
