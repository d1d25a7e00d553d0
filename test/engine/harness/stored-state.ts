import { join } from "node:path";
import type { StackProject } from "./create-project.ts";
import { parseState, type ResourceState } from "./engine-output.ts";

/** The one resource of the state that has this logical name; throws if there is none. */
export async function storedResource(project: StackProject, name: string): Promise<ResourceState> {
  const { text, resources } = await project.exportState();
  const found = resources.find(({ urn }) => urn.endsWith(`::${name}`));
  if (found === undefined) throw new Error(`the state has no resource ${name}: ${text}`);
  return found;
}

export async function urnOf(project: StackProject, name: string): Promise<string> {
  return (await storedResource(project, name)).urn;
}

/** Exports the state, changes the resource of that logical name as somebody with an editor would, and imports the state. */
export async function editState(
  project: StackProject,
  name: string,
  edit: (resource: ResourceState) => void,
): Promise<void> {
  const { text } = await project.exportState();
  const edited: unknown = JSON.parse(text, (_, value: unknown) => {
    const [resource] = isResource(value)
      ? parseState(JSON.stringify({ deployment: { resources: [value] } })).resources
      : [];
    if (resource?.urn.endsWith(`::${name}`) !== true) return value;
    edit(resource);
    return resource;
  });
  await project.put("edited.json", JSON.stringify(edited));
  await project.mustRun(["stack", "import", "--file", join(project.directory, "edited.json")]);
}

function isResource(value: unknown): boolean {
  return typeof value === "object" && value !== null && "urn" in value && "type" in value;
}
