#!/usr/bin/env node
// The command `integration-platform`. Exit codes: 0 as asked; 1 not done, or misfits found; 2 drift found; 64 a command
// that makes no sense, which must not look like drift.
import { Command, Option } from "commander";
import { ApiError, ConfigurationError, createClient } from "../api/index.ts";
import { connectionSettings } from "../connection.ts";
import { inLine } from "../in-line.ts";
import { createPlatform, type Platform } from "../resources/platform.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import { asJson } from "./as-json.ts";
import { checkTenants } from "./check-tenants.ts";
import { PreviewError } from "./drift/preview-stack.ts";
import { type DriftOptions, runDrift } from "./drift/run-drift.ts";
import { type ExportOptions, runExport } from "./export.ts";
import { table } from "./table.ts";
import { OutputError } from "./write-tenants-files.ts";

const program = new Command("integration-platform")
  .description("What the tenants of an integration platform need besides `pulumi up`.")
  .option("--base-url <url>", "base address of the platform; default: INTEGRATION_PLATFORM_BASE_URL")
  .addHelpText("after", "\nThe API key comes from INTEGRATION_PLATFORM_API_KEY.")
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 64));

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
  .description(
    "tell which live tenants would not fit a release; reads only; exit code 1 if any, or if that cannot be told",
  )
  .requiredOption("--release <release>", "tag, id, latest or default")
  .requiredOption("--integration <name>", "name or id of the integration")
  .option("--json", "write the result as JSON")
  .addHelpText("after", "\nExample:\n  integration-platform check --release v1.4.0 --integration crm-to-billing")
  .action(({ json, ...options }: { release: string; integration: string; json?: true }) =>
    onPlatform(async (platform) => {
      const { checked, misfits, isWhole } = await checkTenants(platform, options);
      if (json) process.stdout.write(asJson({ checked, misfits, isWhole }));
      else if (misfits.length === 0) console.log(isWhole ? `All ${checked} tenants fit.` : "Not all could be checked.");
      else {
        const rows = misfits.map(({ tenant, tenantId, path, problem }) =>
          [tenant, String(tenantId), path, problem].map(inLine),
        );
        console.log(table([["TENANT", "ID", "PATH", "WHAT IS WRONG"], ...rows]));
      }
      return isWhole && misfits.length === 0 ? 0 : 1;
    }),
  );

program
  .command("drift")
  .description("tell where the platform is not as a stack declares it; changes nothing; exit code 2 if anywhere")
  .option("--stack <name>", "the stack; default: the selected one")
  .option("--cwd <folder>", "folder of Pulumi.yaml; default: the working directory")
  .option("--markdown <file>", 'write the drift as Markdown, for a comment; "-" is standard output')
  .option("--json <file>", 'write it as JSON; "-" is standard output')
  .option("--html <file>", 'write it as a page of its own; "-" is standard output')
  .addHelpText(
    "after",
    "\nNeeds the Pulumi CLI on PATH, and what `pulumi preview` needs: the backend and the stack's secrets." +
      "\n\nExample:\n  integration-platform drift --stack production --markdown drift.md --html drift.html",
  )
  .action((options: DriftOptions, command: Command) => {
    if ([options.markdown, options.json, options.html].filter((file) => file === "-").length > 1) {
      command.error('error: only one of --markdown, --json and --html can be "-"');
    }
    return telling(async () => {
      const { isInSync } = await runDrift({ ...options, env: environment() });
      return isInSync ? 0 : 2;
    });
  });

await program.parseAsync();

async function onPlatform(work: (platform: Platform) => Promise<number>): Promise<void> {
  const setting = (key: string) => (key === "baseUrl" ? baseUrlOption() : undefined);
  await telling(async () => {
    const client = createClient(connectionSettings(setting, environment()));
    const warn = (message: string) => console.error(`warning: ${message}`);
    const exitCode = await work(createPlatform({ client, warn }));
    await client.close();
    return exitCode;
  });
}

function baseUrlOption(): string | undefined {
  const { baseUrl }: { baseUrl?: string } = program.opts();
  return baseUrl;
}

/** This process's, with the base address that the command line says. */
function environment(): NodeJS.ProcessEnv {
  const baseUrl = baseUrlOption();
  return { ...process.env, ...(baseUrl === undefined ? {} : { INTEGRATION_PLATFORM_BASE_URL: baseUrl }) };
}

/** Ends with the code that the work answers; with 1 where it fails for a reason that a message tells. */
async function telling(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    const told = [ApiError, ConfigurationError, UnknownNameError, OutputError, PreviewError];
    if (!told.some((kind) => error instanceof kind) || !(error instanceof Error)) throw error;
    console.error(`error: ${error.message}`);
    process.exitCode = 1;
  }
}
