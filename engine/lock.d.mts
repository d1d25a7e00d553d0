/**
 * Does `work` while holding the lock directory `path`: no two processes of this machine do theirs at once.
 *
 * A lock whose owner is no longer alive is taken over. `onWait` is called once if another process holds the lock.
 * The parent directory must exist. Rejects after `waitSeconds` (default 900) of waiting, naming the lock.
 */
export function withLock<Result>(
  path: string,
  options: {
    readonly work: () => Promise<Result>;
    readonly onWait?: () => void;
    readonly waitSeconds?: number;
  },
): Promise<Result>;
