/**
 * A function that reads a value at the first call and shares it with later calls. A failed read rejects for its waiting
 * callers and is then forgotten, so that the next call reads again.
 */
export function once<T>(read: () => Promise<T>): { (): Promise<T>; forget: () => void } {
  let reading: Promise<T> | undefined;
  const forget = () => {
    reading = undefined;
  };
  const get = () => {
    if (reading !== undefined) return reading;
    const started = read();
    reading = started;
    started.catch(() => {
      if (reading === started) forget();
    });
    return started;
  };
  return Object.assign(get, { forget });
}

/** Like {@link once}, with one value per key. */
export function oncePer<K, T>(read: (key: K) => Promise<T>): { (key: K): Promise<T>; forget: (key: K) => void } {
  const entries = new Map<K, ReturnType<typeof once<T>>>();
  const get = (key: K) => {
    const entry = entries.get(key) ?? once(() => read(key));
    entries.set(key, entry);
    return entry();
  };
  return Object.assign(get, { forget: (key: K) => entries.get(key)?.forget() });
}
