import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { backendEnvironment } from "../../engine/backend-environment.ts";
import { endAfterTests } from "../end-after-tests.ts";

const localBackend = pathToFileURL(join(import.meta.dirname, "../../.pulumi-state")).href;
let project: string;

beforeEach(() =>
  endAfterTests(async (open) => {
    project = await mkdtemp(join(tmpdir(), "project-"));
    open.defer(() => rm(project, { recursive: true, force: true }));
  }),
);

describe("backendEnvironment", () => {
  test("defaults to a file backend in the clone, with a development passphrase", () => {
    expect(backendEnvironment({ PATH: "/bin" }, project)).toEqual({
      PATH: "/bin",
      PULUMI_BACKEND_URL: localBackend,
      PULUMI_CONFIG_PASSPHRASE: "integration-platform-development",
    });
  });

  test.each([
    { PULUMI_CONFIG_PASSPHRASE: "mine" },
    { PULUMI_CONFIG_PASSPHRASE: "" },
    { PULUMI_CONFIG_PASSPHRASE_FILE: "/f" },
  ])("takes the passphrase from the environment: %o", (passphrase) => {
    expect(backendEnvironment(passphrase, project)).toEqual({ ...passphrase, PULUMI_BACKEND_URL: localBackend });
  });

  test("adds nothing, not even a passphrase, if the environment names a backend", () => {
    const environment = { PULUMI_BACKEND_URL: "s3://states" };

    expect(backendEnvironment(environment, project)).toEqual(environment);
  });

  test("adds nothing if the project names a backend", async () => {
    await writeFile(join(project, "Pulumi.yaml"), "name: p\nbackend:\n  url: s3://states\n");

    expect(backendEnvironment({}, project)).toEqual({});
  });
});
