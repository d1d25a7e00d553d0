import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DefaultTheme } from "vitepress";

const documents = join(import.meta.dirname, "..");

/** The pages that a reader begins with, in their order. */
const start = ["guides/first-stack", "concepts", "guides/real-platform", "from-scripts", "comparison"];

/** The guides in the order in which a reader needs them. Others come after them, by title. */
const guides = [
  ...["fleets", "customers", "secrets", "taking-over", "moving", "overrides", "rollouts", "releases", "drift"],
  ...["incidents", "commands", "ci", "backends", "upgrading", "programs", "native", "emulator", "console"],
  ...["receiver", "receiver-runbook"],
];

/** The pages of the reference that come first. */
const reference = ["index", "tenant", "tenant-fleet", "fleet-rollout", "tenant-metadata", "build", "sync-trigger"];

/**
 * The pages of the site, with the title of each from its first heading.
 *
 * @throws Error if a page that is named here does not exist, or has no heading.
 */
export function sidebar(): DefaultTheme.SidebarItem[] {
  return [
    {
      text: "Start",
      items: [{ text: "Home", link: "/" }, ...start.map(page)],
    },
    { text: "Guides", items: pagesOf("guides", guides).filter(({ link }) => !start.includes(link?.slice(1) ?? "")) },
    { text: "Reference", items: [...pagesOf("reference", reference), ...pagesOf("reference/api", ["index", "api"])] },
    {
      text: "Operations",
      items: ["troubleshooting", "performance", "chaos", "releasing"].map(page),
    },
    {
      text: "Architecture",
      items: [
        ...["architecture", "specification"].map(page),
        { text: "Decisions", collapsed: true, items: pagesOf("decisions", []) },
      ],
    },
  ];
}

/** The pages of a folder: those that are listed in their order, and then the others by title. */
function pagesOf(folder: string, order: readonly string[]): DefaultTheme.SidebarItem[] {
  const names = globSync("*.md", { cwd: join(documents, folder) }).map((file) => file.replace(/\.md$/, ""));
  const listed = order.filter((name) => names.includes(name));
  const others = names.filter((name) => !order.includes(name)).map((name) => page(`${folder}/${name}`));
  const byTitle = others.toSorted((left, right) => (left.text ?? "").localeCompare(right.text ?? "", "en"));
  return [...listed.map((name) => page(`${folder}/${name}`)), ...byTitle];
}

function page(path: string): DefaultTheme.SidebarItem {
  const markdown = readFileSync(join(documents, `${path}.md`), "utf8");
  const [, title] = /^# (.+)$/m.exec(markdown) ?? [];
  if (title === undefined) throw new Error(`docs/${path}.md has no heading.`);
  // The theme shows the text as HTML.
  const text = title.replace(/[`\\]/g, "").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return { text, link: `/${path.replace(/(^|\/)index$/, "$1")}` };
}
