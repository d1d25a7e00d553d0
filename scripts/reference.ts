// `npm run reference`: writes docs/reference, the reference pages of the documentation, from the provider's schema, the schemas
// of a stack's YAML, the commands' help and the docstrings.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { commandsPage } from "./reference/commands-page.ts";
import { errorsPage } from "./reference/errors-page.ts";
import { page, table } from "./reference/markdown.ts";
import { profilePage } from "./reference/profile-page.ts";
import { lookupsPage, providerPage, resourceNames, resourcePage, resourceSummary } from "./reference/provider-pages.ts";
import { resourceFile } from "./reference/provider-types.ts";
import { yamlPage } from "./reference/yaml-page.ts";

export const referenceFolder = join(dirname(import.meta.dirname), "docs", "reference");

interface ReferencePage {
  readonly file: string;
  readonly title: string;
  /** What the page has, in a line of the index. */
  readonly summary: string;
  readonly text: string;
}

/** The text of each page of the reference, by the name of its file. */
export function referencePages(): Readonly<Record<string, string>> {
  const pages: readonly ReferencePage[] = [
    ...resourceNames.map((name) => ({
      file: resourceFile(name),
      title: name,
      summary: resourceSummary(name),
      text: resourcePage(name),
    })),
    {
      file: "lookups.md",
      title: "Lookups",
      summary: "The functions with which a program reads the platform.",
      text: lookupsPage(),
    },
    {
      file: "provider.md",
      title: "Provider settings",
      summary: "The address, the API key and the other settings of the connection.",
      text: providerPage(),
    },
    {
      file: "stack-yaml.md",
      title: "Stack YAML",
      summary: "The keys of `Pulumi.<stack>.yaml` and of files of tenants.",
      text: yamlPage(),
    },
    {
      file: "commands.md",
      title: "Commands",
      summary: "The command `integration-platform`: its subcommands with their arguments, options and exit codes.",
      text: commandsPage(),
    },
    {
      file: "platform-profile.md",
      title: "Profile of a platform",
      summary: "The questions that the specification leaves open, and what each answer changes.",
      text: profilePage(),
    },
    {
      file: "errors.md",
      title: "Errors",
      summary: "The error classes of the API client.",
      text: errorsPage(),
    },
  ];
  return Object.fromEntries([["index.md", indexPage(pages)], ...pages.map(({ file, text }) => [file, text])]);
}

function indexPage(pages: readonly ReferencePage[]): string {
  return page(
    "Reference",
    "`npm run reference` writes these pages from the source code. Where they name the specification, they mean the description of" +
      "\nthe platform's management API; [coverage of the API specification](../specification.md) shows where each part of it is" +
      "\nimplemented.",
    table(
      ["Page", "Content"],
      pages.map(({ file, title, summary }) => [`[${title}](${file})`, summary]),
    ),
  );
}

if (import.meta.main) {
  await mkdir(referenceFolder, { recursive: true });
  for (const [file, text] of Object.entries(referencePages())) await writeFile(join(referenceFolder, file), text);
}
