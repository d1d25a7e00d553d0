import { describe, expect, test } from "vitest";
import { allowedSourcesSchema } from "../../../src/receiver/acknowledge/allowed-sources.ts";
import { environmentSchema } from "../../../src/receiver/acknowledge/environment.ts";
import { sha256 } from "../sha256.ts";

describe("a list of allowed sources", () => {
  test.each([
    ["", "192.0.2.7"],
    [" , ", "2001:db8::1"],
    ["192.0.2.7", "192.0.2.7"],
    ["192.0.2.7", "::ffff:192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::FFFF:192.0.2.0/120", "192.0.2.7"],
    ["198.51.100.1, 192.0.2.0/29", "192.0.2.7"],
    ["0.0.0.0/0", "::ffff:192.0.2.7"],
    ["192.0.2.7/32", "192.0.2.7"],
    ["2001:db8::/32", "2001:db8:1::5"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["::/0", "2001:db8::1"],
    ["::/0", "192.0.2.7"],
    ["192.0.2.7", "::ffff:c000:207"],
  ])('"%s" allows %s', (text, address) => {
    expect(allowedSourcesSchema.parse(text)(address)).toBe(true);
  });

  test.each([
    ["192.0.2.7", "192.0.2.8"],
    ["192.0.2.0/29", "192.0.2.8"],
    ["192.0.2.0/29", "::ffff:192.0.2.8"],
    ["2001:db8::/32", "2001:db9::1"],
    ["2001:db8::/32", "192.0.2.7"],
    ["0.0.0.0/0", "2001:db8::1"],
    ["0.0.0.0/0,::/0", "localhost"],
    ["0.0.0.0/0,::/0", ""],
    ["0.0.0.0/0,::/0", "fe80::1%eth0"],
    ["192.0.2.7", "192.0.2.7, 198.51.100.1"],
  ])('"%s" does not allow %s', (text, address) => {
    expect(allowedSourcesSchema.parse(text)(address)).toBe(false);
  });

  test.each([
    "192.0.2",
    "192.0.2.0/33",
    "2001:db8::/129",
    "192.0.2.0/",
    "192.0.2.0/8/8",
    "192.0.2.0/+8",
    "example.com",
    "fe80::1%eth0",
  ])('"%s" is refused, by its name', (entry) => {
    const { error } = allowedSourcesSchema.safeParse(`198.51.100.1,${entry}`);
    expect(error?.issues.map(({ message }) => message)).toEqual([expect.stringContaining(`"${entry}"`)]);
  });
});

describe("the environment", () => {
  const digests = [sha256("one"), sha256("two")];
  const environment = { QUEUE_URL: "https://sqs.eu-central-1.amazonaws.com/1/q", TOKEN_DIGESTS: digests.join(",") };

  test("holds one digest or two, and needs no sources", () => {
    expect(environmentSchema.parse(environment).TOKEN_DIGESTS.map((digest) => digest.toString("hex"))).toEqual(digests);
    const { TOKEN_DIGESTS, ALLOWED_SOURCES } = environmentSchema.parse({ ...environment, TOKEN_DIGESTS: digests[0] });
    expect(TOKEN_DIGESTS).toHaveLength(1);
    expect(ALLOWED_SOURCES("192.0.2.7")).toBe(true);
  });

  test.each([
    { TOKEN_DIGESTS: "" },
    { TOKEN_DIGESTS: "kq3vWm0R8sJd2LxYb7NcTg" },
    { TOKEN_DIGESTS: `${digests.join(",")},${digests[0]}` },
    { TOKEN_DIGESTS: `${digests[0]},` },
    { TOKEN_DIGESTS: undefined },
    { QUEUE_URL: "" },
    { ALLOWED_SOURCES: "everybody" },
  ])("is refused with %j", (change) => {
    expect(environmentSchema.safeParse({ ...environment, ...change }).success).toBe(false);
  });
});
