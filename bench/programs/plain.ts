// Pulumi without this package: one dynamic resource per tenant. A read lists the tenants until it finds its own, because
// the API has no request for a single tenant.
import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";

const integrationId = 101;
const pageSize = 500;

async function call(method: string, path: string, body?: object) {
  const response = await fetch(`${process.env.INTEGRATION_PLATFORM_BASE_URL}${path}`, {
    method,
    headers: { "x-api-key": `${process.env.INTEGRATION_PLATFORM_API_KEY}`, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return JSON.parse(await response.text());
}

async function findTenant(id: string) {
  for (let skip = 0; ; skip += pageSize) {
    const page = await call("GET", `/v2/tenants?integration_id=${integrationId}&limit=${pageSize}&skip=${skip}`);
    const found = page.find((tenant: { id: number }) => String(tenant.id) === id);
    if (found !== undefined || page.length < pageSize) return found;
  }
}

const provider: pulumi.dynamic.ResourceProvider = {
  async create({ name, configs, metadata, paused }) {
    const { id } = await call("POST", "/v2/tenants", { name, integration_id: integrationId, configs });
    await call("PATCH", `/v2/tenants/${id}/metadata`, metadata);
    await call("PATCH", `/v2/tenants/${id}`, { paused });
    return { id: String(id), outs: { name, configs, metadata, paused } };
  },
  async read(id) {
    const tenant = await findTenant(id);
    if (tenant === undefined) return {};
    const { data: metadata } = await call("GET", `/v2/tenants/${id}/metadata`);
    const props = { name: tenant.name, configs: tenant.configs, metadata, paused: tenant.paused };
    return { id, props, inputs: props };
  },
  async update(id, _, { name, configs, metadata, paused }) {
    await call("PATCH", `/v2/tenants/${id}`, { name, configs, paused });
    await call("PATCH", `/v2/tenants/${id}/metadata`, metadata);
    return { outs: { name, configs, metadata, paused } };
  },
  async delete(id) {
    await call("DELETE", `/v2/tenants/${id}`);
  },
};

class PlainTenant extends pulumi.dynamic.Resource {
  constructor(name: string, settings: object) {
    super(provider, name, { name, ...settings });
  }
}

const tenants: object = JSON.parse(readFileSync("tenants.json", "utf8"));
for (const [name, settings] of Object.entries(tenants)) new PlainTenant(name, settings);
