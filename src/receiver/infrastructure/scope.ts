import type * as pulumi from "@pulumi/pulumi";

/** Where a part of the receiver belongs: the names and the parent of its resources. */
export interface Scope {
  /** The name of a part's resource: `<receiver>-<part>`. */
  named(part: string): string;
  /** Options of a resource that is one of the receiver's parts. */
  readonly options: { readonly parent: pulumi.Resource };
}

/** The scope of a receiver: AWS's own names come from these, each with a random ending. */
export function createScope(receiver: string, parent: pulumi.Resource): Scope {
  return { named: (part) => `${receiver}-${part}`, options: { parent } };
}
