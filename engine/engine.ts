/** A Pulumi engine that can run this project's programs. */
export interface Engine {
  /** Absolute path of the `pulumi` command. */
  readonly command: string;
  /** The folder of `command`. `pulumi-language-nodejs` is in it, beside the file that `command` links to, or on PATH. */
  readonly binDirectory: string;
  /** For example `3.259.0`. */
  readonly version: string;
  readonly source: EngineSource;
}

/** The sources of engines, in the order in which they are tried. */
export const sources = ["path", "download", "build"] as const;

/**
 * Where an engine comes from:
 * - `path`: it is installed on this machine, in a folder of PATH.
 * - `download`: the official npm package `pulumi` has downloaded it.
 * - `build`: it was built from sources that come from the Go module proxy.
 */
export type EngineSource = (typeof sources)[number];

/** The result of the search in one source: an engine, or the reason why the source has none. */
export type EngineAttempt = { readonly engine: Engine } | { readonly unavailable: string };
