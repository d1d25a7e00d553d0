#!/usr/bin/env node
// The command `integration-platform`. Exit codes: 0 as asked, 1 something found or not done, 2 a command that makes no sense.
import { Command, Option } from "commander";
import { ApiError, ConfigurationError, createClient } from "../api/index.ts";
import { connectionSettings } from "../connection.ts";
import { createPlatform, type Platform } from "../resources/platform.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import { asJson } from "./as-json.ts";
import { checkTenants } from "./check-tenants.ts";
import { type ExportOptions, runExport } from "./export.ts";
import { inLine } from "./in-line.ts";
import { table } from "./table.ts";
import { OutputError } from "./write-tenants-files.ts";

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
  .addOption(
    new Option("--as <resources>", "a resource for each tenant, or a fleet for each integration")
      .choices(["tenants", "fleets"])
      .default("tenants"),
  )
  .option(
    "--tenants-to <folder>",
    "with --as fleets: write the tenants to a file for each fleet, <folder>/<fleet>.yaml",
  )
  .option("--json", "write the tenants as JSON instead")
  .addHelpText(
    "after",
    "\nExamples, for a stack whose file has no config yet (else put the tenants among those it has):\n" +
      "  integration-platform export --integration all >> Pulumi.production.yaml\n" +
      "  integration-platform export --integration all --as fleets --tenants-to tenants >> Pulumi.production.yaml",
  )
  .action((options: ExportOptions, command: Command) => {
    if (options.tenantsTo !== undefined && (options.as !== "fleets" || options.format !== "yaml" || options.json)) {
      command.error("error: option '--tenants-to <folder>' needs --as fleets, and the format yaml");
    }
    return onPlatform(async (platform) => {
      await runExport(platform, options);
      return 0;
    });
  });

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
    const isTold = [ApiError, ConfigurationError, UnknownNameError, OutputError].some((kind) => error instanceof kind);
    if (!isTold || !(error instanceof Error)) throw error;
    console.error(`error: ${error.message}`);
    process.exitCode = 1;
  }
}
