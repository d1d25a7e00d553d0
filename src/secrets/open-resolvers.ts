import { dirname } from "node:path";
import { projectFileOf } from "../project/project-file.ts";
import type { Resolver, SecretValuesOptions } from "./secret-values.ts";

export interface ResolverSettings {
  environment: NodeJS.ProcessEnv;
  /** The folder of Pulumi.yaml, which the paths of files and modules are relative to. */
  directory: string;
  /** The paths of the user's own resolvers, by scheme. */
  modules: Readonly<Record<string, string>>;
  /** Hosts that may be reached over plain http. */
  allowInsecureHttp: readonly string[];
}

/** The resolvers by scheme. Each is loaded when a reference needs it, so that the other operations start without it. */
export function openResolvers({
  environment,
  directory,
  modules,
  allowInsecureHttp,
}: ResolverSettings): SecretValuesOptions["resolvers"] {
  const own = Object.entries(modules).map(([scheme, path]) => {
    const load = async () => (await import("./resolvers/module.ts")).moduleResolver(directory, path);
    return [scheme, once(load)] as const;
  });
  return {
    ...Object.fromEntries(own),
    env: once(async () => (await import("./resolvers/env.ts")).envResolver(environment)),
    file: once(async () => (await import("./resolvers/file.ts")).fileResolver(directory)),
    vault: once(async () => (await import("./resolvers/vault.ts")).vaultResolver(environment, allowInsecureHttp)),
    "aws-secretsmanager": once(loadAws),
  };
}

/** The folder of Pulumi.yaml: this one or the nearest above it. The engine starts providers in the program's folder. */
export function projectFolder(from = process.cwd()): string {
  const path = projectFileOf(from);
  return path === undefined ? from : dirname(path);
}

async function loadAws(): Promise<Resolver> {
  const { awsSecretsManagerResolver } = await import("./resolvers/aws-secrets-manager.ts").catch((error: unknown) => {
    throw new Error(
      "the package @aws-sdk/client-secrets-manager is missing. Run `npm install @aws-sdk/client-secrets-manager` in the project",
      { cause: error },
    );
  });
  return awsSecretsManagerResolver();
}

function once(load: () => Promise<Resolver>): () => Promise<Resolver> {
  let loaded: Promise<Resolver> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
