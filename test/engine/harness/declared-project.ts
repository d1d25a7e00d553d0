import { createProject, type Project, type ProjectOptions, type StackProject } from "./create-project.ts";
import type { LivePlatform } from "./live-platform.ts";

/** A resource for the program to declare: `{ type: "Tenant", name: "acme", args: { integration: 101 } }`. */
export interface DeclaredResource {
  readonly type: "Tenant" | "TenantFleet" | "TenantMetadata" | "SyncTrigger" | "Build";
  readonly name: string;
  readonly args: object;
  readonly options?: object;
}

/** A project whose TypeScript program declares the resources that a test passes. */
export interface DeclaredProject<Of extends StackProject = Project> extends AsyncDisposable {
  readonly project: Of;
  /** Declares the resources for the following commands. */
  declare(resources: readonly DeclaredResource[]): Promise<void>;
  /** Clears the platform's log of requests, declares the resources and runs an up without a preview. Never throws. */
  up(
    resources: readonly DeclaredResource[],
    ...args: readonly string[]
  ): Promise<{ code: number | null; printed: string }>;
  /** Like `up`, but throws an error with the output if the up fails. Returns the output. */
  mustUp(resources: readonly DeclaredResource[], ...args: readonly string[]): Promise<string>;
}

const program = `
import * as pulumi from "@pulumi/pulumi";
import * as platform from "pulumi-integration-platform";
for (const { type, name, args, options } of new pulumi.Config().requireObject("resources")) {
  new platform[type](name, args, options);
}`;

export function createDeclaredProject(platform: LivePlatform): Promise<DeclaredProject> {
  return createDeclaredProjectOf(createProject, platform);
}

/** A project of another kind. */
export async function createDeclaredProjectOf<Of extends StackProject>(
  create: (options: ProjectOptions) => Promise<Of>,
  platform: LivePlatform,
): Promise<DeclaredProject<Of>> {
  const yaml = (resources: readonly DeclaredResource[]) =>
    `config: { throw-away:resources: ${JSON.stringify(resources)} }\n`;
  const project = await create({ program, stackYaml: yaml([]), env: platform.env });
  const declare = (resources: readonly DeclaredResource[]) => project.writeStackYaml(yaml(resources));
  const up: DeclaredProject["up"] = async (resources, ...args) => {
    await declare(resources);
    platform.clearRequests();
    const { code, stdout, stderr } = await project.up(args);
    return { code, printed: stdout + stderr };
  };
  return {
    project,
    declare,
    up,
    mustUp: async (resources, ...args) => {
      const { code, printed } = await up(resources, ...args);
      if (code !== 0) throw new Error(`up ended with ${code}.\n${printed}`);
      return printed;
    },
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  };
}
