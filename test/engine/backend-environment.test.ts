import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { backendEnvironment } from "../../engine/backend-environment.ts";

const localBackend = pathToFileURL(join(import.meta.dirname, "../../.pulumi-state")).href;
let project: string;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "project-"));
});

afterEach(() => rm(project, { recursive: true, force: true }));

describe("backendEnvironment", () => {
  it("keeps the state in the clone, with a passphrase for development, where nothing else is said", () => {
    expect(backendEnvironment({ PATH: "/bin" }, project)).toEqual({
      PATH: "/bin",
      PULUMI_BACKEND_URL: localBackend,
      PULUMI_CONFIG_PASSPHRASE: "integration-platform-development",
    });
  });

  it.each([
    { PULUMI_CONFIG_PASSPHRASE: "mine" },
    { PULUMI_CONFIG_PASSPHRASE: "" },
    { PULUMI_CONFIG_PASSPHRASE_FILE: "/f" },
  ])("takes the passphrase from the environment: %o", (passphrase) => {
    expect(backendEnvironment(passphrase, project)).toEqual({ ...passphrase, PULUMI_BACKEND_URL: localBackend });
  });

  it("adds nothing, no passphrase either, where the environment names a backend", () => {
    const environment = { PULUMI_BACKEND_URL: "s3://states" };

    expect(backendEnvironment(environment, project)).toEqual(environment);
  });

  it("adds nothing where the project names a backend", async () => {
    await writeFile(join(project, "Pulumi.yaml"), "name: p\nbackend:\n  url: s3://states\n");

    expect(backendEnvironment({}, project)).toEqual({});
  });
});
