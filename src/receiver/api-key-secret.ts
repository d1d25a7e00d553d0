import { GetSecretValueCommand, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";

/**
 * Reads the platform's API key from a secret in Secrets Manager. Needs the permission `secretsmanager:GetSecretValue`.
 *
 * @throws Error if the secret holds no string, and the errors of Secrets Manager.
 */
export async function readApiKey(client: SecretsManagerClient, secretArn: string): Promise<string> {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretArn }));
  if (SecretString !== undefined) return SecretString;
  throw new Error(`the secret ${secretArn} holds no string; store the platform's API key in it as a string`);
}
