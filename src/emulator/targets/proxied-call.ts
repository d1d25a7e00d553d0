/** A call to an external service, as it goes out. */
export interface ProxiedCall {
  /** In capitals. */
  readonly method: string;
  /** As it was asked for: an address or a path. */
  readonly targetUrl: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: readonly (readonly [string, string])[];
  readonly body: { readonly text: string; readonly contentType: string } | null;
}

/** What the external service answered. */
export interface TargetReply {
  readonly status: number;
  readonly text: string;
}
