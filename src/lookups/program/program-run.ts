import * as pulumi from "@pulumi/pulumi";

/**
 * Returns a function that creates a value once for each run of a Pulumi program. One process may run several programs, as
 * inline programs of the Automation API and tests with `pulumi.runtime.setMocks` do; they must not share the value.
 *
 * A run is identified by its connection to the engine, which is one object from start to end. Outside of a run each call
 * creates a value.
 */
export function perRun<Value>(create: () => Value): () => Value {
  const values = new WeakMap<object, Value>();
  return () => {
    const run = pulumi.runtime.getMonitor();
    const known = run && values.get(run);
    if (known !== undefined) return known;
    const value = create();
    if (run !== undefined) values.set(run, value);
    return value;
  };
}
