import { createProject, type Project, type ProjectOptions, type StackProject } from "./create-project.ts";
import type { ResourceState } from "./engine-output.ts";
import { type LivePlatform, openPlatform } from "./live-platform.ts";
import { quickIntegrations } from "./quick-integrations.ts";

/** The ids of the releases of the emulator's first integration. */
export const releaseIds = { "v1.0.0": 901, "v1.1.0": 902 } as const;
type Tag = keyof typeof releaseIds;

/** The keys of the fleet's tenants. */
export const keys = ["t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "t9"] as const;

/** A stack with a fleet whose ten tenants are connected and run v1.0.0, which the fleet itself manages. */
export interface RolloutStory<P extends StackProject = Project> extends AsyncDisposable {
  readonly platform: LivePlatform;
  readonly project: P;
  /**
   * Declares the fleet's release and rollout.
   *
   * @param rollout YAML of one line, without braces. Default: no rollout.
   * @param more more tenants, as YAML of one line.
   */
  declare(tag: Tag, rollout?: string, more?: string): Promise<void>;
  /** Clears the platform's log of requests and runs an up without a preview. Never throws. */
  up(...args: readonly string[]): Promise<{ code: number | null; printed: string }>;
  /** Like `up`, but throws an error with the output if the up fails. Returns the output. */
  mustUp(...args: readonly string[]): Promise<string>;
  /** A preview that proposes no change. Throws if there is one. */
  expectNoChanges(): Promise<void>;
  /** The names of the tenants whose release was written since the log was cleared, sorted. */
  moved(): Promise<string[]>;
  /** The names of the tenants that were asked to sync since the log was cleared, sorted. */
  synced(): Promise<string[]>;
  /** The names of the tenants on a release, sorted. */
  on(tag: Tag): Promise<string[]>;
  /** The release and the channel of each tenant, by its name. */
  releases(): Promise<Record<string, { id: number | null; channel: string | null }>>;
  /** Lets the runs of tenants on a release fail. */
  letFail(tag: Tag, ...tenants: readonly string[]): Promise<void>;
}

export function openRolloutStory(): Promise<RolloutStory> {
  return openRolloutStoryOn(createProject);
}

export async function openRolloutStoryOn<P extends StackProject>(
  create: (options: ProjectOptions) => Promise<P>,
): Promise<RolloutStory<P>> {
  await using open = new AsyncDisposableStack();
  const platform = open.use(await openPlatform({ seed: { integrations: quickIntegrations() } }));
  const project = open.use(await create({ stackYaml: stackYaml("v1.0.0"), env: platform.env }));
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  for (const key of keys) for (const connector of ["crm", "billing"]) await platform.connect(key, connector);
  const held = open.move();
  const story = rolloutsOn(platform, project);
  return { ...story, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** Tenants with the fleet's keys as their names, for the seed of a platform. They are connected and not paused. */
export const existingTenants = keys.map((name) => ({
  integration: "crm-to-billing",
  name,
  user_name: name,
  paused: false,
  status: { auth: { connected: true, connectors: [] } },
}));

/** What stories about rollouts do with a platform and a project. */
export function rolloutsOn<P extends StackProject>(
  platform: LivePlatform,
  project: P,
): Omit<RolloutStory<P>, typeof Symbol.asyncDispose> {
  const up: RolloutStory["up"] = async (...args) => {
    platform.clearRequests();
    const { code, stdout, stderr } = await project.up(args);
    return { code, printed: stdout + stderr };
  };
  const requested = async (pattern: RegExp, isMeant: (body: unknown) => boolean) => {
    const names = new Map((await platform.tenants()).map(({ id, name }) => [String(id), name]));
    const found = platform.writes().flatMap(({ request, body }) => {
      const [, id] = pattern.exec(request) ?? [];
      return id !== undefined && isMeant(body) ? [names.get(id) ?? id] : [];
    });
    return found.sort();
  };
  return {
    platform,
    project,
    declare: (tag, rollout, more) => project.writeStackYaml(stackYaml(tag, rollout, more)),
    up,
    mustUp: async (...args) => {
      const { code, printed } = await up(...args);
      if (code !== 0) throw new Error(`up ended with ${code}.\n${printed}`);
      return printed;
    },
    expectNoChanges: async () => void (await project.mustRun(["preview", "--expect-no-changes"])),
    moved: () => requested(/^PATCH \/v2\/tenants\/(\d+)$/, isMove),
    synced: () => requested(/^POST \/v2\/tenants\/(\d+)\/sync$/, () => true),
    on: async (tag) =>
      (await platform.tenants())
        .filter((one) => one.integration_release_id === releaseIds[tag])
        .map(nameOf)
        .sort(),
    releases: async () =>
      Object.fromEntries(
        (await platform.tenants()).map((one) => [
          one.name,
          { id: one.integration_release_id, channel: one.integration_release_channel },
        ]),
      ),
    letFail: async (tag, ...tenants) => {
      const releases = tenants.length === 0 ? [] : [{ tag, tenants, outcome: "fail", failure: "no such customer" }];
      await platform.call("PATCH", "/_emulator/integrations/101", { runs: { takes_seconds: 0, releases } });
    },
  };
}

/** The state of the rollout, and of the fleet with its plan. */
export async function storedRollout(project: StackProject): Promise<{ rollout: ResourceState; fleet: ResourceState }> {
  const { resources, text } = await project.exportState();
  const rollout = resources.find(({ type }) => type.endsWith(":FleetRollout"));
  const fleet = resources.find(({ type }) => type.endsWith(":TenantFleet"));
  if (rollout === undefined || fleet === undefined) throw new Error(`the state has no rollout: ${text}`);
  return { rollout, fleet };
}

/** A change of a release, by its id or by a channel. */
function isMove(body: unknown): boolean {
  return ["integration_release_id", "integration_release_channel"].some((key) => Object.hasOwn(Object(body), key));
}

function nameOf({ name }: { name: string }): string {
  return name;
}

function stackYaml(tag: Tag, rollout?: string, more = ""): string {
  const tenants = keys.map((key) => `${key}: {}`).join(", ");
  return `config:
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      retainOnDelete: true
      defaults: { paused: false, release: { tag: ${tag} } }
      tenants: { ${tenants}${more && `, ${more}`} }
${rollout === undefined ? "" : `      rollout: { ${rollout} }\n`}`;
}
