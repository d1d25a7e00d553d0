/** A path as a JSON Pointer (RFC 6901): `["configs", "a/b"]` as `/configs/a~1b`. */
export function pointerTo(path: readonly string[]): string {
  return path.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The path of a JSON Pointer. */
export function pathOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}
