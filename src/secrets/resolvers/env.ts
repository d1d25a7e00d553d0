import type { Resolver } from "../secret-values.ts";

/** `env:NAME`: an environment variable of the process that runs the provider. A version is only a marker. */
export function envResolver(environment: NodeJS.ProcessEnv): Resolver {
  return async (name) => {
    // without this, env:constructor would be what every object inherits
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    // a pipeline's secret that does not exist is an empty variable
    if (value === undefined || value === "") {
      throw new Error(`the environment variable ${name} is not set where Pulumi runs`);
    }
    // Node.js reads bytes that are not UTF-8 as this character
    if (value.includes("\uFFFD")) throw new Error(`the environment variable ${name} is not UTF-8`);
    return value;
  };
}
