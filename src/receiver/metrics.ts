/** The namespace of the receiver's own metrics in CloudWatch. Their dimension is `FunctionName`. */
export const metricNamespace = "IntegrationPlatform/WebhookReceiver";

/** The receiver's own metrics. Each counts what a log entry reports. */
export const metricNames = [
  /** The acknowledging function: webhooks that the queue has stored. */
  "WebhooksEnqueued",
  /** Of these, webhooks that came with the older of two tokens. The metric is 0 for webhooks with the newest token. */
  "WebhooksWithOlderToken",
  /** Webhooks with a valid token that the queue did not store, but the ledger did. They are late. */
  "WebhooksNotQueued",
  /** Webhooks that neither stored. The platform got a 503, and only the log has the event. */
  "WebhooksNotStored",
  /** Webhooks with a valid token that were rejected for their size, method or source. The event is lost. */
  "WebhooksRejected",
  /** Requests without a valid token whose body has the form of an event: an object with `event_type`. */
  "RefusedEvents",
  /** All requests that the function answered with a 4xx, those of strangers included. */
  "RequestsRefused",
  /** The consuming function: messages that returned to the queue because of an error. */
  "MessagesNotConsumed",
  /** Events that cannot be identified: not JSON, no `event_type`, or a known event without its id. */
  "MalformedEvents",
  /** Events whose `event_type` the specification does not define. */
  "UnknownEvents",
  /** Known events of which a field is missing or wrong. */
  "DeviatingEvents",
  /** The reconciling function: events that no webhook reported. Each proves that a webhook was lost. */
  "ReconciledEvents",
  /** Sweeps that came to their end. Its absence is what an alarm watches. */
  "SweepsCompleted",
  /** Events that a sweep found and did not publish, because there were too many of them. */
  "EventsWithheld",
  /** Sweeps that failed because the platform answered 401 or 403. */
  "KeyRefused",
] as const;

export type MetricName = (typeof metricNames)[number];

export type Metrics = Readonly<Partial<Record<MetricName, number>>>;
