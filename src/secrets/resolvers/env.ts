import type { Resolver } from "../secret-values.ts";

/** `env:NAME`: an environment variable of the process that runs the provider. A version is only a marker. */
export function envResolver(environment: NodeJS.ProcessEnv): Resolver {
  return async (name) => {
    const value = environment[name];
    // a pipeline's secret that does not exist is an empty variable
    if (value === undefined || value === "") {
      throw new Error(`the environment variable ${name} is not set where Pulumi runs`);
    }
    return value;
  };
}
