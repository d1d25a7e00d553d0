import {
  CreateRoleCommand,
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  GetRoleCommand,
  GetRolePolicyCommand,
  IAMClient,
  PutRolePolicyCommand,
  UpdateAssumeRolePolicyCommand,
} from "@aws-sdk/client-iam";
import { z } from "zod";
import { resourceType } from "../resource-type.ts";

const iam = new IAMClient();

export const role = resourceType({
  inputs: z.object({ name: z.string(), assumeRolePolicy: z.string() }),
  autonamed: "name",
  replacedBy: ["name"],
  create: async ({ name, assumeRolePolicy }) => {
    const { Role: created } = await iam.send(
      new CreateRoleCommand({ RoleName: name, AssumeRolePolicyDocument: assumeRolePolicy }),
    );
    return { id: name, outputs: { arn: created?.Arn } };
  },
  read: (id) => iam.send(new GetRoleCommand({ RoleName: id })),
  update: async (id, { assumeRolePolicy }) => {
    await iam.send(new UpdateAssumeRolePolicyCommand({ RoleName: id, PolicyDocument: assumeRolePolicy }));
  },
  delete: (id) => iam.send(new DeleteRoleCommand({ RoleName: id })),
});

const policyInputs = z.object({ name: z.string(), role: z.string(), policy: z.string() });

export const rolePolicy = resourceType({
  inputs: policyInputs,
  autonamed: "name",
  replacedBy: ["name", "role"],
  create: async (args) => {
    await put(args);
    return { id: `${args.role}:${args.name}` };
  },
  read: (_, { role, name }) => iam.send(new GetRolePolicyCommand({ RoleName: role, PolicyName: name })),
  update: async (_, args) => put(args),
  delete: (_, { role, name }) => iam.send(new DeleteRolePolicyCommand({ RoleName: role, PolicyName: name })),
});

async function put({ role, name, policy }: z.infer<typeof policyInputs>): Promise<void> {
  await iam.send(new PutRolePolicyCommand({ RoleName: role, PolicyName: name, PolicyDocument: policy }));
}
