import { html } from "hono/html";
import type { DeliveryOutcome, DeliveryRecord } from "../entities/event.ts";
import {
  badge,
  type Content,
  counted,
  fold,
  type Html,
  live,
  moment,
  prettyJson,
  table,
  verbatim,
} from "./elements.ts";
import { page } from "./layout.ts";
import type { View } from "./site.ts";

/** The webhooks and e-mails of events, the newest first, with the outcome of each webhook. */
export function deliveryPage(view: View): Html {
  return page(
    view,
    "deliveries",
    "Deliveries",
    html`<h1>Deliveries</h1>
      <p class="hint">The settings choose what is sent: ${settingsLink}.</p>
      <h2>Webhooks</h2>
      ${live("webhooks", webhooks(view))}
      <h2>Outbox</h2>
      <p class="hint">The emulator lists e-mails here and does not send them.</p>
      ${live("outbox", outbox(view))}`,
  );
}

const settingsLink = html`<a href="/console/settings/notifications">Notifications &amp; Webhooks</a>`;
const shown = 50;

function webhooks({ platform }: View): Html {
  const { deliveries, settings } = platform.store;
  const { webhook_url, notifications } = settings.read();
  const isAnyOn = Object.values(notifications).some(({ send_webhook }) => send_webhook);
  const reason =
    webhook_url === null || !isAnyOn
      ? html`None will be sent: set a webhook URL, and tick "Send Webhook" for an event, in ${settingsLink}.`
      : "One is sent when such an event happens, for example when a tenant is created.";
  const rows = deliveries.newest(shown).map(webhookRow);
  const columns = ["Time (UTC)", "Event", "Outcome", "Status", "Took", "URL", "Payload"];
  return html`${countLine(deliveries.count(), "webhook")}
    ${table({ caption: "Webhooks", columns, rows, empty: html`No webhooks yet. ${reason}` })}`;
}

function webhookRow({
  id,
  event,
  url,
  payload,
  created_date,
  outcome,
  status,
  milliseconds,
}: DeliveryRecord): Content[] {
  return [
    moment(created_date),
    event,
    badge(outcome, tones[outcome]),
    status ?? "–",
    milliseconds === null ? "–" : `${Math.round(milliseconds)} ms`,
    html`<code>${withoutQuery(url)}</code>`,
    fold(`webhook-${id}`, "Show", verbatim(`Payload of webhook ${id}`, prettyJson(payload))),
  ];
}

/** A webhook's URL without its query, which may hold a token. */
function withoutQuery(url: string): string {
  return url.replace(/\?.*$/, "?…");
}

function outbox({ platform }: View): Html {
  const { emails } = platform.store;
  const rows = emails
    .newest(shown)
    .map(({ id, to, subject, text, created_date }): Content[] => [
      moment(created_date),
      to,
      subject,
      fold(`email-${id}`, "Show", verbatim(`Text of e-mail ${id}`, text)),
    ]);
  const empty = html`No e-mails yet. The primary contact and the subscribers in ${settingsLink} get one for each event.`;
  return html`${countLine(emails.count(), "e-mail")}
    ${table({ caption: "Outbox", columns: ["Time (UTC)", "To", "Subject", "Text"], rows, empty })}`;
}

function countLine(count: number, noun: string): Content {
  if (count === 0) return "";
  const text = count > shown ? `The newest ${shown} of ${counted(count, noun)}` : counted(count, noun);
  return html`<p class="count">${text}</p>`;
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
