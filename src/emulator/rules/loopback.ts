/** Whether a host name can only mean this machine. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Whether a text is an address of this machine, by http or https. */
export function isLoopbackUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && isLoopbackName(url.hostname);
}
