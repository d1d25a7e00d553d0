/** What a signal aborts. */
export interface StopBySignal extends Disposable {
  readonly signal: AbortSignal;
}

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Aborts at Ctrl-C and at SIGTERM, so that the demo can end what it has started, and sets this process's exit code. A second
 * signal ends this process at once.
 */
export function stopBySignal(): StopBySignal {
  const stop = new AbortController();
  const onSignal = (name: keyof typeof exitCodes) => {
    process.exitCode = exitCodes[name];
    if (stop.signal.aborted) process.exit();
    stop.abort(new Error(`${name}: the demo ends what it has started`));
  };
  const listeners = Object.entries({
    SIGINT: () => onSignal("SIGINT"),
    SIGTERM: () => onSignal("SIGTERM"),
    SIGHUP: () => onSignal("SIGHUP"),
  });
  for (const [name, listener] of listeners) process.on(name, listener);
  return {
    signal: stop.signal,
    [Symbol.dispose]: () => {
      for (const [name, listener] of listeners) process.off(name, listener);
    },
  };
}
