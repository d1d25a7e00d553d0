import * as pulumi from "@pulumi/pulumi";

/**
 * Makes what a program keeps for one run: several may pass in one process, as inline programs of the Automation API and
 * tests under `pulumi.runtime.setMocks` do, and one must see nothing of another.
 *
 * A run is known by its connection to the engine, which is one object from its beginning to its end. Outside of any, there
 * is nothing to share: each call makes its own.
 */
export function perRun<Value>(make: () => Value): () => Value {
  const values = new WeakMap<object, Value>();
  return () => {
    const run = pulumi.runtime.getMonitor();
    const known = run && values.get(run);
    if (known !== undefined) return known;
    const value = make();
    if (run !== undefined) values.set(run, value);
    return value;
  };
}
