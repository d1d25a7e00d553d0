/** Whether a host name always means this machine. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Whether a string is an http or https URL of this machine. */
export function isLoopbackUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && isLoopbackName(url.hostname);
}
