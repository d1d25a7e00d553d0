import type * as pulumi from "@pulumi/pulumi";

/** The name prefix and the parent that all resources of a receiver share. */
export interface Scope {
  /** The logical name of a part's resource: `<receiver>-<part>`. Pulumi derives its name in AWS from it. */
  named(part: string): string;
  /** The options of a part's resource. */
  readonly options: { readonly parent: pulumi.Resource };
}

export function createScope(receiver: string, parent: pulumi.Resource): Scope {
  return { named: (part) => `${receiver}-${part}`, options: { parent } };
}
