import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { z } from "zod";
import { kind } from "../kind.ts";

const secrets = new SecretsManagerClient();

export const secret = kind({
  inputs: z.object({ name: z.string(), description: z.string().optional() }),
  autonamed: "name",
  replacedBy: ["name", "description"],
  create: async ({ name, description }) => {
    const { ARN: arn = "" } = await secrets.send(new CreateSecretCommand({ Name: name, Description: description }));
    return { id: arn, outputs: { arn } };
  },
  look: async (id) => {
    const { DeletedDate: deleted } = await secrets.send(new DescribeSecretCommand({ SecretId: id }));
    if (deleted !== undefined) throw Object.assign(new Error(`${id} is deleted`), { name: "ResourceNotFound" });
  },
  delete: (id) => secrets.send(new DeleteSecretCommand({ SecretId: id })),
});

const versionInputs = z.object({ secretId: z.string(), secretString: z.string() });

export const secretVersion = kind({
  inputs: versionInputs,
  replacedBy: ["secretId"],
  create: async (given) => {
    await put(given);
    return { id: `${given.secretId}|value` };
  },
  look: (_, { secretId }) => secrets.send(new DescribeSecretCommand({ SecretId: secretId })),
  update: (_, given) => put(given),
  delete: async () => {}, // goes with the secret
});

function put({ secretId, secretString }: z.infer<typeof versionInputs>) {
  return secrets.send(new PutSecretValueCommand({ SecretId: secretId, SecretString: secretString }));
}
