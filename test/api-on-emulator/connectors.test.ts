import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { NotFoundError, ProxyExternalError, ProxyInternalError, ValidationError } from "../../src/api/index.ts";
import { failureOf } from "../failure-of.ts";
import { listen } from "../listen.ts";
import { install, startClient } from "./start-client.ts";

const kinds = ["call", "callSoap", "callXml"] as const;

describe.each(kinds)("a proxy call by %s", (kind) => {
  async function start() {
    const on = await startClient();
    const id = await install(on);
    const proxy = (connector: string, request: { target_url?: string; data?: string }) =>
      on.client.connectors[kind](id, connector, { method: "GET", ...request });
    return { ...on, id, proxy };
  }

  test("resolves to the external service's data", async () => {
    const { proxy } = await start();
    const contact = { id: 1, name: "Ada" };
    const data = kind === "call" ? contact : JSON.stringify(contact);
    expect(await proxy("crm", { target_url: "/contacts/1" })).toEqual({ data });
  });

  test("fails with the external service's error, its detail parsed", async () => {
    const { proxy } = await start();
    const error = await failureOf(proxy("crm", { target_url: "/contacts/9" }));
    expect(error).toBeInstanceOf(ProxyExternalError);
    const data = { error: "no such contact" };
    expect(error).toMatchObject({
      externalStatus: 404,
      detail: { data: kind === "call" ? data : JSON.stringify(data) },
    });
  });

  test("passes any external status on", async () => {
    const server = createServer((request, response) => {
      response.writeHead(Number(request.url?.slice(1))).end("<oops/>");
    });
    const target = await listen(server);
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { proxy } = await start();
    for (const status of [400, 401, 403, 409, 422, 429, 500, 503]) {
      const error = await failureOf(proxy("crm", { target_url: `${target}/${status}` }));
      expect(error).toMatchObject({
        name: "ProxyExternalError",
        externalStatus: status,
        detail: { data: "<oops/>" },
      });
    }
  });

  test("fails inside the platform for a connector that is not authenticated and a target that cannot be called", async () => {
    const { client, id, proxy } = await start();
    expect(await failureOf(proxy("crm", { target_url: "https://elsewhere.example/" }))).toBeInstanceOf(
      ProxyInternalError,
    );
    await client.connectors.disconnect(id, "crm");
    const error = await failureOf(proxy("crm", { target_url: "/contacts/1" }));
    expect(error).toBeInstanceOf(ProxyInternalError);
    expect(String(error)).toContain("not authenticated");
  });

  test("is refused for an unknown connector", async () => {
    const { proxy } = await start();
    expect(await failureOf(proxy("fax", {}))).toBeInstanceOf(ValidationError);
  });
});

test("an XML response is a string", async () => {
  const on = await startClient();
  const id = await install(on);
  const soap = await on.client.connectors.callSoap(id, "billing", { target_url: "/soap", data: "<q/>" });
  expect(soap.data).toContain("<Envelope>");
  expect(await on.client.connectors.callXml(id, "billing", { target_url: "/invoices" })).toEqual({
    data: '<invoices><invoice id="7"/></invoices>',
  });
});

test("a global connector can be called without being connected, and cannot be disconnected", async () => {
  const { client } = await startClient();
  const { id } = await client.tenants.create({ name: "acme", integration_id: 101 });
  const rates = await client.connectors.call(id, "exchange-rates", { target_url: "/rates" });
  expect(rates).toEqual({ data: { EUR: 1, USD: 1.1 } });
  expect(await failureOf(client.connectors.disconnect(id, "exchange-rates"))).toBeInstanceOf(ValidationError);
  expect(await failureOf(client.connectors.disconnect(1, "crm"))).not.toBeInstanceOf(NotFoundError);
});
