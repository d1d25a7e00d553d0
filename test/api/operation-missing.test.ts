import { expect, test } from "vitest";
import { OperationMissingError } from "../../src/api/errors.ts";
import { failureOf } from "../failure-of.ts";
import { respondJson, startServer } from "./scripted-server.ts";

test.each([
  [405, { detail: "Method Not Allowed" }],
  [404, { detail: "Not Found" }],
])("%i %j: the message says that the platform has no such operation, after one request", async (status, body) => {
  await using server = await startServer((_, response) => respondJson(response, status, body));
  const { tenants, runs } = server.client;
  const errors = [
    await failureOf(tenants.update(7, { paused: true })),
    await failureOf(tenants.getRelease(7)),
    await failureOf(runs.listPage(7)),
  ];
  expect(server.requests).toHaveLength(3);
  expect(errors.every((error) => error instanceof OperationMissingError)).toBe(true);
  expect(errors[0]?.message).toMatch(
    /^PATCH \/v2\/tenants\/7: this account's platform has no such operation.*impossible to change or rename an existing tenant/,
  );
  expect(errors[1]?.message).toContain("impossible to read which release a tenant runs");
});

test("a 404 about a record still means that the tenant is not found", async () => {
  await using server = await startServer((_, response) =>
    respondJson(response, 404, { message: "Tenant 7 not found" }),
  );
  const error = await failureOf(server.client.tenants.update(7, { paused: true }));
  expect(error.name).toBe("NotFoundError");
});
