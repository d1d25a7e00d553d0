/** The namespace of the receiver's own metrics in CloudWatch. Their dimension is `FunctionName`. */
export const metricNamespace = "IntegrationPlatform/WebhookReceiver";

/** The receiver's own metrics. Each counts what a log entry reports. */
export const metricNames = [
  /** The acknowledging function: webhooks that the queue has stored. */
  "WebhooksEnqueued",
  /** Of these, webhooks that came with the older of two tokens. The metric is 0 for webhooks with the newest token. */
  "WebhooksWithOlderToken",
  /** Webhooks with a valid token that the queue did not store. The platform got a 503: the event is lost. */
  "WebhooksNotEnqueued",
  /** Webhooks with a valid token that were rejected for their size, method or source. The event is lost. */
  "WebhooksRejected",
  /** Requests with a token that is not valid, from an allowed source. Requests without a token do not count. */
  "WrongTokens",
  /** The consuming function: messages that returned to the queue because of an error. */
  "MessagesNotConsumed",
  /** Events that cannot be identified: not JSON, no `event_type`, or a known event without its id. */
  "MalformedEvents",
  /** Events whose `event_type` the specification does not define. */
  "UnknownEvents",
  /** Known events of which a field is missing or wrong. */
  "DeviatingEvents",
  /** Events that the platform does not confirm. */
  "UnverifiedEvents",
  /** The reconciling function: events that no webhook reported. Each proves that a webhook was lost. */
  "ReconciledEvents",
] as const;

export type MetricName = (typeof metricNames)[number];

export type Metrics = Readonly<Partial<Record<MetricName, number>>>;
