/**
 * Sends a request of Amazon SNS's API to moto, without a client of the AWS SDK: the tests need only a few requests. moto takes
 * the service and the region from the signature, and checks no signatures. Resolves to the response, which is XML.
 */
export async function requestSns(
  { AWS_ENDPOINT_URL: endpoint = "", AWS_REGION: region = "" }: Partial<Record<string, string>>,
  action: string,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const credential = `Credential=test/20261121/${region}/sns/aws4_request`;
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=none` },
    body: new URLSearchParams({ Action: action, Version: "2010-03-31", ...parameters }),
  });
  const text = await response.text();
  if (response.ok) return text;
  throw Object.assign(new Error(`${action}: ${response.status} ${text}`), { name: elementOf(text, "Code") });
}

/** The text of the first element of this name in XML, or "". */
export function elementOf(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? "";
}
