import { Option } from "@commander-js/extra-typings";

/** What names a tenant on a command line, for a help text. */
export const tenantNamed =
  "id or name of the tenant (id:2 or name:2 if one tenant has that id and another one that name)";

/** `--integration NAME` of a command that is about the tenants of one or all integrations. */
export function integrationOption(more = "") {
  return new Option("--integration <name>", `name or id of the integration, or "all"${more}`);
}

/** `--where EXPR`. */
export function whereOption() {
  const description =
    "only tenants that match this expression on the fields of status --json, such as 'failing and not paused'";
  return new Option("--where <expression>", description);
}

/** An example of `--where` for a help text, as a shell takes it. */
export const whereExample = `--where 'metadata.plan == "gold" and release.tag != "v1.3.0"'`;
