export const backendNames = ["file", "s3", "postgres", "journal"] as const;

/**
 * `file`: a folder; `s3`: a bucket, simulated by moto; `postgres`: a table of a real Postgres; `journal`: a service with
 * Pulumi Cloud's protocol. All on this machine.
 */
export type BackendName = (typeof backendNames)[number];

/** Whether the backend is measured at every size. The others, which are servers of a team, are measured with few tenants only. */
export function isAtEverySize(backend: BackendName): boolean {
  return backend === "file" || backend === "journal";
}

/** Where a Pulumi contender stores its state. It is empty at first; disposing it removes it. */
export interface Backend extends AsyncDisposable {
  /** The variables that make the engine use this backend, with the same settings for all backends. */
  readonly env: NodeJS.ProcessEnv;
  /** The states of all stacks, and the other files in their folder. */
  files(): Promise<StateFile[]>;
}

/** A file that the engine has written. */
export interface StateFile {
  readonly path: string;
  /** The bytes that the engine wrote. */
  readonly content: Buffer;
  /** The size of the file as the backend stores it. */
  readonly storedBytes: number;
}

/** The folder (or prefix of keys) in which the engine stores states. */
export const statesFolder = ".pulumi/stacks/";
