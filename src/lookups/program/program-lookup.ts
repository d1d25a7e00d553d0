import * as pulumi from "@pulumi/pulumi";
import { createClient } from "../../api/index.ts";
import { connectionSettings } from "../../connection/connection-settings.ts";
import { requiredFacts } from "../../connection/platform-facts.ts";
import { createOperationContext } from "../../operation/operation-context.ts";
import { projectFolder } from "../../secrets/open-resolvers.ts";
import { explained, LookupError, type LookupFunction } from "../lookup-function.ts";

/** The arguments of an `...Output` form. Each may be an output of a resource. */
export type InputsOf<Args> = { [Key in keyof Args]: pulumi.Input<Args[Key]> };

/** A lookup in both of its forms, like Pulumi's provider functions. */
interface ProgramLookup<Args, Result> {
  /** Looks up immediately. Rejects with a `RunError` that has the reason and, for an unknown name, a suggestion. */
  now(args: Args): Promise<Result>;
  /** Looks up as soon as the arguments are known, which in a preview may be never. */
  later(args: InputsOf<Args>): pulumi.Output<Result>;
}

/** A lookup that runs in the process of the program. */
export function programLookup<Args extends object, Result extends object>({
  name,
  invoke,
}: LookupFunction<Args, Result>): ProgramLookup<Args, Result> {
  const look = async (args: object): Promise<Result> => {
    try {
      return await invoke(programContext(), args);
    } catch (thrown) {
      const error = explained(name, thrown);
      throw error instanceof LookupError ? new pulumi.RunError(error.message) : error;
    }
  };
  return { now: look, later: (args) => pulumi.output<object>(args).apply(look) };
}

/**
 * The operation context of a run of the program, with one client and one snapshot for all lookups. Like the resources, it
 * reads its settings from the environment, then from the config namespace `integration-platform`.
 *
 * @throws ConfigurationError if a setting is missing or invalid.
 */
const programContext = perRun(() => {
  const setting = (key: string) => pulumi.runtime.getConfig(`integration-platform:${key}`);
  const client = createClient(connectionSettings(setting));
  const place = { environment: process.env, directory: projectFolder(), baseUrl: client.baseUrl };
  return createOperationContext({
    ...requiredFacts(setting, place),
    client,
    warn: (message) => {
      pulumi.log.warn(message);
    },
  });
});

/**
 * Returns a function that creates a value once for each run of a Pulumi program. One process may run several programs, as
 * inline programs of the Automation API and tests with `pulumi.runtime.setMocks` do; they must not share the value.
 *
 * A run is identified by its connection to the engine, which is one object from start to end. Outside of a run each call
 * creates a value.
 */
function perRun<Value>(create: () => Value): () => Value {
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
