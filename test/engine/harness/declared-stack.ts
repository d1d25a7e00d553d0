import { createProject, type Project, type ProjectOptions, type StackProject } from "./create-project.ts";
import { type LivePlatform, openPlatform } from "./live-platform.ts";
import { quickIntegrations } from "./quick-integrations.ts";

export const withoutRefresh = ["--refresh=false"];
export const withRefresh = ["--refresh"];

/** The content of a stack: its tenants and the tenants of its only fleet. Without any, it means to archive all. */
export function stackOf(tenants: object, fleet: object = {}): string {
  const entries = Object.entries(tenants).map(([key, entry]) => [key, { integration: "crm-to-billing", ...entry }]);
  return `config:
  integration-platform:allowNoTenants: true
  integration-platform:tenants: ${JSON.stringify(Object.fromEntries(entries))}
  integration-platform:fleets: ${JSON.stringify({ billing: { integration: "crm-to-billing", tenants: fleet } })}
`;
}

/** A platform and a stack on it. A test declares the stack's tenants before each up. */
export interface DeclaredStack<Of extends StackProject = Project> extends AsyncDisposable {
  readonly platform: LivePlatform;
  readonly project: Of;
  /** Declares these tenants and runs an up, by default without a refresh. Never throws. */
  up(tenants: object, args?: readonly string[]): Promise<{ code: number | null; printed: string }>;
  /** Like `up`, but throws an error with the output if the up fails. Returns the output. */
  mustUp(tenants: object, args?: readonly string[]): Promise<string>;
  /** The write requests since the last up began. */
  writes(): string[];
}

export function openDeclaredStack(): Promise<DeclaredStack> {
  return openDeclaredStackOf(createProject);
}

/** With a project of another kind. */
export async function openDeclaredStackOf<Of extends StackProject>(
  create: (options: ProjectOptions) => Promise<Of>,
): Promise<DeclaredStack<Of>> {
  const platform = await openPlatform({ seed: { integrations: quickIntegrations() } });
  const project = await create({ stackYaml: stackOf({}), env: platform.env });
  const up: DeclaredStack["up"] = async (tenants, args = withoutRefresh) => {
    await project.writeStackYaml(stackOf(tenants));
    platform.clearRequests();
    const { code, stdout, stderr } = await project.up(args);
    return { code, printed: stdout + stderr };
  };
  return {
    platform,
    project,
    up,
    mustUp: async (tenants, args) => {
      const { code, printed } = await up(tenants, args);
      if (code !== 0) throw new Error(`up ended with ${code}.\n${printed}`);
      return printed;
    },
    writes: () => platform.writes().map(({ request }) => request),
    [Symbol.asyncDispose]: async () => {
      await project[Symbol.asyncDispose]();
      await platform[Symbol.asyncDispose]();
    },
  };
}
