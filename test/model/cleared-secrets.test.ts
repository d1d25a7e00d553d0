import { expect, test } from "vitest";
import { providerChoices } from "../../src/resources/pulumi/type-token.ts";
import { readableText } from "./engine/state.ts";
import type { Program } from "./program.ts";
import { openScene } from "./scene.ts";

const settings = (token: unknown) => ({ token, creds: { user: "u", token } });
const declared = settings({ $secret: "first token" });
const program: Program = [
  { type: "Tenant", name: "acme", args: { integration: 101, configs: declared } },
  {
    type: "TenantMetadata",
    name: "of acme",
    args: { tenantId: { $of: "Tenant acme", property: "tenantId" }, data: declared },
  },
  { type: "TenantFleet", name: "all", args: { integration: 101, tenants: { globex: { configs: declared } } } },
];

test.each(
  providerChoices.flatMap((provider) => [
    { provider, cleared: { token: null, creds: { user: "u" } } },
    { provider, cleared: { token: null, creds: null } },
  ]),
)(
  "with the $provider provider, a secret stays one through a refresh that finds $cleared",
  async ({ provider, cleared }) => {
    await using scene = await openScene({}, { provider });
    const { stack } = scene;
    const setByHand = async (values: object) => {
      for (const { id } of JSON.parse(await scene.call("GET", "/v2/tenants"))) {
        await scene.call("PATCH", `/v2/tenants/${id}`, JSON.stringify({ configs: values }));
        await scene.call("PATCH", `/v2/tenants/${id}/metadata`, JSON.stringify(values));
      }
    };
    const run = async (kind: "up" | "refresh") => expect((await stack.run(program, { kind })).errors).toEqual([]);
    const texts = () => [...stack.state.values()].map(({ inputs, outputs }) => JSON.stringify({ inputs, outputs }));
    await run("up");
    await setByHand(cleared);
    await run("refresh");
    await run("refresh");
    for (const text of texts()) expect(text).not.toContain("first token");

    await setByHand(settings("second token"));
    await run("refresh");
    for (const text of texts()) expect(text.split("second token")).toHaveLength(5);
    expect(readableText(stack.state)).not.toContain("second token");
    await run("refresh");
    expect(readableText(stack.state)).not.toContain("second token");

    await run("up");
    for (const text of texts()) {
      expect(text).not.toContain("second token");
      expect(text).toContain("first token");
    }
    expect(readableText(stack.state)).not.toContain("first token");
  },
);
