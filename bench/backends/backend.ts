export const backendNames = ["file", "s3", "postgres"] as const;

/** `file`: a folder; `s3`: a bucket, as moto plays it; `postgres`: a table of a real one. All on this machine. */
export type BackendName = (typeof backendNames)[number];

/** Where a contender on Pulumi keeps its state: empty at first, and gone when it is disposed of. */
export interface Backend extends AsyncDisposable {
  /** What makes the engine keep its state there, with the same settings for all. */
  readonly env: NodeJS.ProcessEnv;
  /** The states of all stacks, and what lies beside them. */
  files(): Promise<StateFile[]>;
}

/** What the engine has written under one name. */
export interface StateFile {
  readonly path: string;
  /** As the engine wrote it. */
  readonly content: Buffer;
  /** What the backend makes of it. */
  readonly storedBytes: number;
}

/** The folder, prefix of keys, that the engine keeps states in. */
export const statesFolder = ".pulumi/stacks/";
