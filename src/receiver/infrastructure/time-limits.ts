/** How long the acknowledging function may take, in seconds: more than its own deadline, after which it answers 503. */
export const acknowledgerTimeoutSeconds = 10;

/** How long the consumer may take for a batch, in seconds. */
export const consumerTimeoutSeconds = 30;

/** How long a sweep of the reconciler may take, in seconds: the most that a function can have. */
export const reconcilerTimeoutSeconds = 900;
