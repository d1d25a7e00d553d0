import { html } from "hono/html";
import type { DeliveryOutcome, DeliveryRecord, EmailRecord } from "../entities/event.ts";
import { badge, type Content, fold, type Html, live, moment, prettyJson, table, verbatim } from "./elements.ts";
import { page } from "./layout.ts";
import type { View } from "./site.ts";

/** The webhooks and e-mails of events, the newest first, with the outcome of each webhook. */
export function deliveryPage(view: View): Html {
  const { deliveries, emails } = view.platform.store;
  return page(
    view,
    "deliveries",
    "Deliveries",
    html`<h1>Deliveries</h1>
      <p class="hint">
        The newest 50 of each. The settings choose what is sent: <a href="/console/settings/notifications">Notifications &amp; Webhooks</a>.
      </p>
      <h2>Webhooks</h2>
      ${live("webhooks", webhookTable(deliveries.newest(50)))}
      <h2>Outbox</h2>
      <p class="hint">The emulator lists e-mails here and does not send them.</p>
      ${live("outbox", emailTable(emails.newest(50)))}`,
  );
}

function webhookTable(deliveries: readonly DeliveryRecord[]): Html {
  const rows = deliveries.map(({ id, event, url, payload, created_date, outcome, status, milliseconds }): Content[] => [
    moment(created_date),
    event,
    badge(outcome, tones[outcome]),
    status ?? "–",
    milliseconds === null ? "–" : `${Math.round(milliseconds)} ms`,
    html`<code>${url}</code>`,
    fold(`webhook-${id}`, "Show", verbatim(`Payload of webhook ${id}`, prettyJson(payload))),
  ]);
  const columns = ["Time (UTC)", "Event", "Outcome", "Status", "Took", "URL", "Payload"];
  return table({ caption: "Webhooks", columns, rows, empty: "No webhooks yet." });
}

function emailTable(emails: readonly EmailRecord[]): Html {
  const rows = emails.map(({ id, to, subject, text, created_date }): Content[] => [
    moment(created_date),
    to,
    subject,
    fold(`email-${id}`, "Show", verbatim(`Text of e-mail ${id}`, text)),
  ]);
  return table({ caption: "Outbox", columns: ["Time (UTC)", "To", "Subject", "Text"], rows, empty: "No e-mails yet." });
}

const tones: Readonly<Record<DeliveryOutcome, "good" | "bad" | "busy" | "plain">> = {
  pending: "busy",
  sending: "busy",
  delivered: "good",
  refused: "bad",
  timeout: "bad",
  unreachable: "bad",
  interrupted: "plain",
};
