import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { type CommandOutcome, runCommand } from "../../engine/run-command.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { type CiClone, makeCiClone } from "./harness/ci-clone.ts";

const repository = join(import.meta.dirname, "../..");

const jobSchema = z.looseObject({
  image: z.object({ name: z.string() }),
  variables: z.record(z.string(), z.string()).default({}),
  before_script: z.array(z.string()),
  script: z.array(z.string()),
  rules: z.array(z.looseObject({ if: z.string(), when: z.string().optional() })),
  environment: z.object({ name: z.string(), action: z.string().optional() }).optional(),
  resource_group: z.string().optional(),
  artifacts: z.object({ when: z.string(), paths: z.array(z.string()) }).optional(),
});
type Job = z.infer<typeof jobSchema>;

/** A note as GitLab stores it. */
interface Note {
  id: number;
  author: { id: number };
  body: string;
}

describe("the pipeline for GitLab, job by job, in a new user's clone", () => {
  let clone: CiClone;
  let jobs: Record<string, Job>;
  const notes: Note[] = [];
  const requests: string[] = [];

  // Answers as GitLab's API does, with two notes to a page.
  const gitLab = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://gitlab");
    requests.push(`${request.method} ${url.pathname}`);
    const answer = (status: number, body: unknown, headers = {}) =>
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    if (request.headers["private-token"] !== "project-token") return answer(401, {});
    if (url.pathname === "/api/v4/user") return answer(200, { id: 7 });
    if (request.method === "GET") {
      const page = Number(url.searchParams.get("page"));
      const isLast = page * 2 >= notes.length;
      return answer(200, notes.slice(page * 2 - 2, page * 2), { "x-next-page": isLast ? "" : `${page + 1}` });
    }
    const { body } = z.object({ body: z.string() }).parse(await json(request));
    const existing = notes.find(({ id }) => url.pathname.endsWith(`/notes/${id}`));
    if (existing !== undefined) existing.body = body;
    else notes.push({ id: notes.length + 1, author: { id: 7 }, body });
    return answer(existing === undefined ? 201 : 200, {});
  });

  beforeAll(() =>
    endAfterTests(async (open) => {
      clone = open.use(await makeCiClone());
      await new Promise<void>((resolve) => gitLab.listen(0, "127.0.0.1", resolve));
      await clone.bash("cp examples/ci/gitlab-ci.yml .gitlab-ci.yml && git add templates");
      const { code, stdout, stderr } = await expanded();
      if (code !== 0) throw new Error(stdout + stderr);
      const { stages: _, ...declared } = z.record(z.string(), z.unknown()).parse(parse(stdout));
      jobs = z.record(z.string(), jobSchema).parse(declared);
    }),
  );
  afterAll(() => gitLab.close());

  test("matches GitLab's schema, which refuses a misspelt keyword, and has only inputs that its template allows", async () => {
    await clone.bash("sed -i 's/resource_group:/resource_grp:/' templates/stack.yml");
    const { code, stdout, stderr } = await expanded();
    expect(code).toBe(1);
    expect(stdout + stderr).toContain("'resource_grp' property is not expected to be here");
    await clone.bash("sed -i 's/up: manual/up: sometimes/' .gitlab-ci.yml");
    expect((await expanded()).stderr).toContain("`sometimes` cannot be used");
  });

  test("runs each job for its stacks, with the secrets of its environment and the pinned Pulumi CLI", () => {
    const facts = Object.entries(jobs).map(([name, job]) => ({
      name,
      environment: job.environment,
      stack: job.variables.STACK,
      oneAtATime: job.resource_group,
    }));
    const jobsOf = (stack: string) => {
      const reading = { name: `${stack}-preview`, action: "access" };
      return [
        { name: `preview ${stack}`, environment: reading, stack, oneAtATime: undefined },
        { name: `up ${stack}`, environment: { name: stack }, stack, oneAtATime: stack },
        { name: `rollout ${stack}`, environment: { name: `${stack}-rollout` }, stack, oneAtATime: stack },
        { name: `drift ${stack}`, environment: reading, stack, oneAtATime: undefined },
      ];
    };
    const validate = { name: "validate", environment: undefined, stack: undefined, oneAtATime: undefined };
    expect(facts).toEqual([validate, ...jobsOf("staging"), ...jobsOf("production")]);
    for (const { variables } of Object.values(jobs).slice(1)) {
      expect(variables).toMatchObject({ INTEGRATION_PLATFORM_ENGINE: "download", INTEGRATION_PLATFORM_ENGINE_LOG: "" });
    }
    expect(jobs["up staging"]).toMatchObject({ needs: [], rules: [{ when: "on_success" }] });
    expect(jobs["up production"]).toMatchObject({ needs: [{ job: "up staging" }], rules: [{ when: "manual" }] });
    expect(jobs["drift staging"]?.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "schedule" && $ROLLOUT == null' }]);
    expect(jobs["rollout staging"]?.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "schedule" && $ROLLOUT' }]);
  });

  test("writes the preview of a merge request to one note, which later runs edit", async () => {
    notes.push({ id: 1, author: { id: 3 }, body: "<!-- preview of staging -->\nby somebody else" });
    notes.push({ id: 2, author: { id: 7 }, body: "<!-- preview of production -->" });
    expect(await run("preview staging", withToken())).toMatchObject({ code: 0 });
    expect(await run("preview staging", withToken())).toMatchObject({ code: 0 });
    expect(notes.map(({ body }) => body.split("\n")[0])).toEqual([
      "<!-- preview of staging -->",
      "<!-- preview of production -->",
      "<!-- preview of staging -->",
    ]);
    expect(notes[0]?.body).toContain("by somebody else");
    expect(notes[2]?.body).toMatch(/### Drift of stack <code>staging<\/code>[\s\S]*Declared, but not applied/);
    expect(notes[2]?.body).toMatch(/^ {4}.*\+ pulumi-nodejs:dynamic\/integration-platform:Tenant/m);
    expect(notes[2]?.body).toBe(await clone.read("note.md"));
    expect(requests.filter((request) => !request.startsWith("GET"))).toEqual([
      "POST /api/v4/projects/11/merge_requests/5/notes",
      "PUT /api/v4/projects/11/merge_requests/5/notes/3",
    ]);
    expect(clone.platform.writes()).toEqual([]);
  });

  test("fails if GitLab refuses the token, and without a token the note is only an artifact", async () => {
    const refused = await run("preview staging", { ...withToken(), GITLAB_TOKEN: "wrong" });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("GET /user: GitLab answered 401");
    requests.length = 0;
    expect(await run("preview staging", {})).toMatchObject({ code: 0 });
    expect(requests).toEqual([]);
    expect(jobs["preview staging"]?.artifacts).toEqual({ when: "always", paths: ["note.md", "drift.html"] });
  });

  test("brings up a stack, and finds no drift afterwards", async () => {
    expect(await run("up staging")).toMatchObject({ code: 0 });
    expect(await clone.platform.tenants()).toHaveLength(1);
    expect(await run("drift staging")).toMatchObject({ code: 0 });
  });

  test("carries no rollouts on where there are none, and says so", async () => {
    const { code, stdout } = await run("rollout staging");
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("The stack has no rollouts.") });
    expect(await clone.read("rollouts.html")).toContain("The stack has no rollouts.");
    expect(jobs["rollout staging"]).toMatchObject({
      allow_failure: { exit_codes: [3] },
      artifacts: { when: "always", paths: ["rollouts.html", "rollouts.json"] },
    });
  });

  test("fails with 2 if the stack has drifted, and leaves the report", async () => {
    await clone.platform.change("acme", { paused: true });
    expect(await run("drift staging")).toMatchObject({ code: 2 });
    expect(await clone.read("drift.html")).toContain("1 of 1 tenants differs from its declaration.");
    expect(jobs["drift staging"]?.artifacts).toEqual({ when: "always", paths: ["drift.html", "drift.json"] });
  });

  /** The clone's pipeline with everything that `extends` brings, as GitLab sees it. */
  function expanded(): Promise<CommandOutcome> {
    const program = join(repository, "node_modules/gitlab-ci-local/dist/index.js");
    const options = { cwd: clone.directory, env: clone.environment, timeLimitSeconds: 120 };
    return runCommand(process.execPath, [program, "--preview"], options);
  }

  /** Runs the script of a job for the stack `staging`. */
  function run(name: string, more: NodeJS.ProcessEnv = {}): Promise<CommandOutcome> {
    const job = jobs[name];
    if (job === undefined) throw new Error(`no job is named ${name}`);
    const script = [...job.before_script, ...job.script].join("\n");
    return clone.bash(script, { STACK: "staging", ...job.variables, ...more });
  }

  function withToken(): NodeJS.ProcessEnv {
    const address: AddressInfo | string | null = gitLab.address();
    const port = typeof address === "object" ? address?.port : undefined;
    return {
      GITLAB_TOKEN: "project-token",
      CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`,
      CI_PROJECT_ID: "11",
      CI_MERGE_REQUEST_IID: "5",
    };
  }
});
