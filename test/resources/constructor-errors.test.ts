import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, test } from "vitest";
import { Tenant } from "../../src/index.ts";
import { failureOf } from "../failure-of.ts";

beforeAll(() =>
  pulumi.runtime.setMocks({ newResource: ({ inputs }) => ({ id: "1", state: inputs }), call: ({ inputs }) => inputs }),
);

test("an error of a constructor names the line of the program", async () => {
  async function declareTenant(): Promise<Tenant> {
    return new Tenant("", { integration: 101 });
  }
  const { stack } = await failureOf(declareTenant());
  expect(stack).toMatch(
    /Missing resource name.*at new Tenant.*at [^\n]*declareTenant[^\n]*constructor-errors\.test\.ts/s,
  );
});

test("a resource leaves the stacks of other errors as they are", () => {
  const framesOf = ({ stack }: Error) => stack?.split("\n").length;
  const before = framesOf(new Error("before"));
  new Tenant("acme", { integration: 101 });
  expect(framesOf(new Error("after"))).toBe(before);
});
