import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { z } from "zod";
import { notFound, resourceType } from "../resource-type.ts";

const secrets = new SecretsManagerClient();

export const secret = resourceType({
  inputs: z.object({ name: z.string(), description: z.string().optional() }),
  autonamed: "name",
  replacedBy: ["name", "description"],
  create: async ({ name, description }) => {
    const { ARN: arn = "" } = await secrets.send(new CreateSecretCommand({ Name: name, Description: description }));
    return { id: arn, outputs: { arn } };
  },
  read: async (id) => {
    const { DeletedDate: deleted } = await secrets.send(new DescribeSecretCommand({ SecretId: id }));
    if (deleted !== undefined) throw notFound(id);
  },
  delete: (id) => secrets.send(new DeleteSecretCommand({ SecretId: id })),
});

const versionInputs = z.object({ secretId: z.string(), secretString: z.string() });

export const secretVersion = resourceType({
  inputs: versionInputs,
  replacedBy: ["secretId"],
  create: async (args) => {
    await put(args);
    return { id: `${args.secretId}|value` };
  },
  read: (_, { secretId }) => secrets.send(new DescribeSecretCommand({ SecretId: secretId })),
  update: (_, args) => put(args),
  delete: async () => {}, // deleted together with the secret
});

function put({ secretId, secretString }: z.infer<typeof versionInputs>) {
  return secrets.send(new PutSecretValueCommand({ SecretId: secretId, SecretString: secretString }));
}
