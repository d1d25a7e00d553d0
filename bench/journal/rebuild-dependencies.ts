import type { Resource } from "./schemas.ts";

/**
 * Removes the references to resources that do not exist, as `rebuildDependencies` in the engine's `pkg/backend/journal.go`
 * does.
 *
 * @param resources each after the resources that it refers to.
 */
export function rebuildDependencies(resources: readonly Resource[]): Resource[] {
  const seen = new Set<string>();
  const exists = (urn: string) => seen.has(urn);
  return resources.map((resource) => {
    const { parent, deletedWith, dependencies, propertyDependencies, replaceWith, ...rest } = resource;
    seen.add(resource.urn);
    return {
      ...rest,
      ...(parent !== undefined && exists(parent) && { parent }),
      ...(deletedWith !== undefined && exists(deletedWith) && { deletedWith }),
      ...(dependencies && { dependencies: dependencies.filter(exists) }),
      ...(propertyDependencies && { propertyDependencies: existing(propertyDependencies, exists) }),
      ...(replaceWith && { replaceWith: replaceWith.filter(exists) }),
    };
  });
}

type ByProperty = NonNullable<Resource["propertyDependencies"]>;

function existing(byProperty: ByProperty, exists: (urn: string) => boolean): ByProperty {
  const left = Object.entries(byProperty).map(([name, urns]) => [name, (urns ?? []).filter(exists)] as const);
  return Object.fromEntries(left.filter(([, urns]) => urns.length > 0));
}
