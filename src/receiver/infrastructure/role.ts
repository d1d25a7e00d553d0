import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { Scope } from "./scope.ts";

/** Allows actions on one resource. */
export interface Statement {
  readonly actions: readonly string[];
  /** The ARN of the resource. */
  readonly resource: pulumi.Input<string>;
}

/** Creates the role of a function. It allows these statements and nothing else. */
export function createRole(
  scope: Scope,
  part: string,
  statements: readonly Statement[],
): { readonly role: aws.iam.Role; readonly policy: aws.iam.RolePolicy } {
  const role = new aws.iam.Role(scope.named(part), { assumeRolePolicy }, scope.options);
  const policy = new aws.iam.RolePolicy(
    scope.named(part),
    { role: role.id, policy: pulumi.jsonStringify({ Version: policyVersion, Statement: statements.map(allow) }) },
    scope.options,
  );
  return { role, policy };
}

const policyVersion = "2012-10-17"; // the version of the policy language

const assumeRolePolicy = JSON.stringify({
  Version: policyVersion,
  Statement: [{ Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" }, Action: "sts:AssumeRole" }],
});

function allow({ actions, resource }: Statement) {
  return { Effect: "Allow", Action: [...actions], Resource: resource };
}
