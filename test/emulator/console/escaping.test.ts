import { expect, test } from "vitest";
import { call, install, numberAt, runsOf, startManual, sync } from "../running-emulator.ts";
import { open, send } from "./console-client.ts";

const hostile = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `'-alert(1)-'`,
  `</textarea><b>`,
  `&lt;i&gt;`,
];

test.each(hostile)("every page escapes %s", async (text) => {
  const emulator = await startManual();
  await send(emulator, "/console/settings/notifications", {
    webhook_url: `http://127.0.0.1:9/${encodeURIComponent(text)}`,
    primary_contact: "ops@example.com",
    "tenant_created.send_webhook": "on",
    "integration_created.send_webhook": "on",
  });
  await call(emulator, "PATCH", "/_emulator/settings", { account: { name: text } });
  const made = await call(emulator, "POST", "/_emulator/integrations", {
    name: text,
    long_name: text,
    connectors: [{ name: text, isGlobal: false }],
    repository_tracking_branch: text,
  });
  const integrationId = Object(made.body).id;
  const release = { name: text, tag: text, config_schema: { title: text } };
  await call(emulator, "POST", `/_emulator/integrations/${integrationId}/releases`, release);
  const id = await install(emulator, {
    integration: integrationId,
    name: text,
    user_name: text,
    source: text,
    schedule: text,
    user_schedule: text,
    configs: { [text]: text },
    metadata: { [text]: [text] },
    status: { dynamic_configs: { [text]: text }, last_run: { id: 1, status: { phase: text } } },
    runs: { log: [text], takes_seconds: 0 },
  });
  await send(emulator, "/console/settings/api-keys", { name: text });

  await sync(emulator, id);
  await emulator.advance({ seconds: 60 });
  const runId = numberAt((await runsOf(emulator, id))[0], "id");

  await call(emulator, "GET", `/v2/tenants/${encodeURIComponent(text)}?user_name=${encodeURIComponent(text)}`);
  emulator.fault({ kind: "status", status: 500, body: text, match: { method: text } });

  const search = `/console/tenants?q=${encodeURIComponent(text)}`;
  const pages = await Promise.all(
    [
      "/console/tenants",
      search,
      `/console/tenants/${id}`,
      "/console/integrations",
      `/console/integrations/${integrationId}`,
      "/console/runs",
      `/console/runs/${runId}`,
      "/console/deliveries",
      "/console/settings/api-access",
      "/console/settings/notifications",
      "/console",
      "/console/requests",
      "/console/faults",
    ].map((path) => open(emulator, path)),
  );
  const refused = [
    await send(emulator, `/console/tenants/${id}/configs`, { configs: text }),
    await send(emulator, `/console/tenants/${id}/schedule`, { user_schedule: text }),
    await send(emulator, "/console/integrations", { name: text, default_schedule: text }),
    await send(emulator, "/console/variants", { configs: text, lagSeconds: text }),
    await send(emulator, "/console/faults", { fault: text }),
    await send(emulator, "/console/faults", { fault: JSON.stringify({ kind: text }) }),
    await open(emulator, `/console/faults?kind=${encodeURIComponent(text)}`),
    await open(emulator, `/console/tenants/${encodeURIComponent(text)}`),
    await open(emulator, `/console/runs/${encodeURIComponent(text)}`),
    await open(emulator, `/console/tenants?notice=${encodeURIComponent(text)}&integration=${encodeURIComponent(text)}`),
  ];
  expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));
  for (const { html } of [...pages, ...refused]) {
    expect(html).not.toContain(text === `'-alert(1)-'` ? `="${text}` : text);
    expect(html).not.toMatch(/<img|<b>|<script>|onerror=alert\(1\)>/);
  }
  const [, , tenant, , , , run] = pages;
  expect(tenant?.html).toContain(escaped(text));
  expect(run?.html).toContain(escaped(text));
});

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
