import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { Scope } from "./scope.ts";

/** Actions that are allowed on one resource. */
export interface Statement {
  readonly actions: readonly string[];
  /** An ARN. */
  readonly resource: pulumi.Input<string>;
}

/** The role of a function, with no more than these rights. */
export function functionRole(
  scope: Scope,
  part: string,
  statements: readonly Statement[],
): { readonly role: aws.iam.Role; readonly policy: aws.iam.RolePolicy } {
  const role = new aws.iam.Role(
    scope.named(part),
    { assumeRolePolicy: assumedBy("lambda.amazonaws.com") },
    scope.options,
  );
  const policy = new aws.iam.RolePolicy(
    scope.named(part),
    { role: role.id, policy: pulumi.jsonStringify({ Version: version, Statement: statements.map(allowed) }) },
    scope.options,
  );
  return { role, policy };
}

const version = "2012-10-17"; // of the policy language

function allowed({ actions, resource }: Statement) {
  return { Effect: "Allow", Action: [...actions], Resource: resource };
}

function assumedBy(service: string): string {
  const statement = { Effect: "Allow", Principal: { Service: service }, Action: "sts:AssumeRole" };
  return JSON.stringify({ Version: version, Statement: [statement] });
}
