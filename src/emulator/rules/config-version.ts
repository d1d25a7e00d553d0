/** The version after this one: its last number plus one. */
export function nextConfigVersion(version: string): string {
  const [, head = "", number] = /^(.*?)(\d+)$/.exec(version) ?? [];
  return number === undefined ? `${version}.1` : `${head}${Number(number) + 1}`;
}
