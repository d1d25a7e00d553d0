import { describe, expect, test } from "vitest";
import { allowedSourcesSchema } from "../../../src/receiver/acknowledge/allowed-sources.ts";

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
  ])('"%s" allows %s', (sources, address) => {
    expect(allowedSourcesSchema.parse(sources)(address)).toBe(true);
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
  ])('"%s" does not allow %s', (sources, address) => {
    expect(allowedSourcesSchema.parse(sources)(address)).toBe(false);
  });

  test.each([
    "192.0.2",
    "192.0.2.0/33",
    "2001:db8::/129",
    "192.0.2.0/",
    "192.0.2.0/8/8",
    "192.0.2.0/+8",
    "192.0.2.0/24x",
    "example.com",
    "fe80::1%eth0",
  ])('rejects "%s" and quotes it', (entry) => {
    const { error } = allowedSourcesSchema.safeParse(`198.51.100.1,${entry}`);
    expect(error?.issues.map(({ message }) => message)).toEqual([expect.stringContaining(`"${entry}"`)]);
  });
});
