#!/usr/bin/env node
// The command `integration-platform`. Exit codes: 0 as asked, 1 something found or not done, 2 a command that makes no sense.
import { Command, Option } from "commander";
import { ApiError, ConfigurationError, createClient } from "../api/index.ts";
import { connectionSettings } from "../connection.ts";
import { createPlatform, type Platform } from "../resources/platform.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import { checkTenants } from "./check-tenants.ts";
import { type ExportedTenant, exportTenants } from "./export-tenants.ts";
import { inLine } from "./in-line.ts";
import { table } from "./table.ts";
import { writeProgram } from "./write-program.ts";
import { writeStackYaml } from "./write-stack-yaml.ts";

/** Beyond this a program may not start: the engine hands it the whole config as one variable of its environment. */
const configBytesMaximum = 100_000;

const program = new Command("integration-platform")
  .description("What the tenants of an integration platform need besides `pulumi up`.")
  .option("--base-url <url>", "base address of the platform; default: INTEGRATION_PLATFORM_BASE_URL")
  .addHelpText("after", "\nThe API key comes from INTEGRATION_PLATFORM_API_KEY.")
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));

program
  .command("export")
  .description("write the live tenants as a stack, to take them over with `pulumi up`")
  .requiredOption("--integration <name>", 'name or id of the integration, or "all"')
  .addOption(
    new Option("--format <format>", "a stack's YAML, or a TypeScript program").choices(["yaml", "ts"]).default("yaml"),
  )
  .option("--json", "write the tenants as JSON instead")
  .addHelpText(
    "after",
    "\nExample, for a stack whose file has no config yet (else put the tenants among those it has):\n" +
      "  integration-platform export --integration all >> Pulumi.production.yaml",
  )
  .action(({ integration, format, json }: { integration: string; format: string; json?: true }) =>
    onPlatform(async (platform) => {
      const tenants = await exportTenants(platform, integration);
      const write = json ? asJson : format === "ts" ? writeProgram : writeStackYaml;
      const text = write(tenants);
      process.stdout.write(text);
      reportLeftOut(tenants);
      if (write === writeStackYaml) reportSize(text);
      return 0;
    }),
  );

program
  .command("check")
  .description("tell which live tenants would not fit a release; reads only; exit code 1 if any")
  .requiredOption("--release <release>", "tag, id, latest or default")
  .requiredOption("--integration <name>", "name or id of the integration")
  .option("--json", "write the result as JSON")
  .addHelpText("after", "\nExample:\n  integration-platform check --release v1.4.0 --integration crm-to-billing")
  .action(({ json, ...options }: { release: string; integration: string; json?: true }) =>
    onPlatform(async (platform) => {
      const { checked, misfits } = await checkTenants(platform, options);
      if (json) process.stdout.write(asJson({ checked, misfits }));
      else if (misfits.length === 0) console.log(`All ${checked} tenants fit.`);
      else {
        const rows = misfits.map(({ tenant, tenantId, path, problem }) =>
          [tenant, String(tenantId), path, problem].map(inLine),
        );
        console.log(table([["TENANT", "ID", "PATH", "WHAT IS WRONG"], ...rows]));
      }
      return misfits.length === 0 ? 0 : 1;
    }),
  );

await program.parseAsync();

async function onPlatform(work: (platform: Platform) => Promise<number>): Promise<void> {
  const { baseUrl }: { baseUrl?: string } = program.opts();
  const setting = (key: string) => (key === "baseUrl" ? baseUrl : undefined);
  const environment = { ...process.env, ...(baseUrl === undefined ? {} : { INTEGRATION_PLATFORM_BASE_URL: baseUrl }) };
  try {
    const client = createClient(connectionSettings(setting, environment));
    const warn = (message: string) => console.error(`warning: ${message}`);
    process.exitCode = await work(createPlatform({ client, warn }));
    await client.close();
  } catch (error) {
    const isTold = [ApiError, ConfigurationError, UnknownNameError].some((kind) => error instanceof kind);
    if (!isTold || !(error instanceof Error)) throw error;
    console.error(`error: ${error.message}`);
    process.exitCode = 1;
  }
}

function reportLeftOut(tenants: readonly ExportedTenant[]): void {
  const rows = tenants.flatMap(({ key, leftOut }) =>
    leftOut.map(({ path, reason }) => [key, path, reason].map(inLine)),
  );
  if (rows.length === 0) return;
  console.error(
    "Left out, and so left alone by `pulumi up`; declare a secret with `pulumi config set --secret --path`:",
  );
  console.error(table(rows));
}

function reportSize(stackYaml: string): void {
  const bytes = Buffer.byteLength(stackYaml.replace(/^ *#.*$/gm, ""));
  if (bytes <= configBytesMaximum) return;
  console.error(
    `warning: ${Math.round(bytes / 1024)} KiB may be more than one stack's config can hold, which is 128 KiB on Linux: ` +
      "export each integration to a stack of its own, or use --format ts",
  );
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
