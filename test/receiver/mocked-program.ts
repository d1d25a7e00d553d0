import * as pulumi from "@pulumi/pulumi";
import type { WebhookReceiverArgs } from "../../src/receiver/args.ts";
import { WebhookReceiver } from "../../src/receiver/resource.ts";

/** A resource that a program registered with the engine. */
export interface RegisteredResource {
  readonly type: string;
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/**
 * Creates a receiver with Pulumi's mocks instead of an engine. Resolves to the receiver and its resources.
 *
 * @param declareMore the rest of the program.
 * @param name the name of the receiver.
 */
export async function registerReceiver(
  args: WebhookReceiverArgs,
  declareMore: (receiver: WebhookReceiver) => void = () => {},
  name = "events",
) {
  const resources: RegisteredResource[] = [];
  const mocks: pulumi.runtime.Mocks = {
    call: ({ token, inputs }) => {
      if (token === "aws:index/getRegion:getRegion") return { region: "eu-central-1" };
      return token === "aws:index/getCallerIdentity:getCallerIdentity" ? { accountId: "123456789012" } : inputs;
    },
    newResource: ({ type, name: logicalName, inputs }) => {
      resources.push({ type, name: logicalName, inputs });
      const arn = `arn:aws:${type.split(/[:/]/)[1]}:eu-central-1:123456789012:${logicalName}`;
      const { namePrefix } = inputs; // of a log group, for which the provider would add a suffix
      const physicalName = namePrefix === undefined ? logicalName : String(namePrefix).replace(/-$/, "");
      return {
        id: `${logicalName}-id`,
        state: { ...inputs, name: physicalName, arn, url: `https://${logicalName}`, functionUrl: "https://a.example/" },
      };
    },
  };
  await pulumi.runtime.setMocks(mocks, "project", "test", false);
  const receiver = new WebhookReceiver(name, args);
  declareMore(receiver);
  await pulumi.runtime.disconnect(); // resolves when all resources are registered
  return { receiver, resources };
}

/** The resources of a type such as `Queue`, sorted by name. */
export function ofType(resources: readonly RegisteredResource[], type: string): RegisteredResource[] {
  return resources
    .filter((resource) => resource.type.endsWith(`:${type}`))
    .sort((one, other) => one.name.localeCompare(other.name));
}

const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** Replaces the secrets in a value by `[secret]`. */
export function inClear(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inClear);
  if (typeof value !== "object" || value === null) return value;
  if (Reflect.get(value, signatureKey) === secretSignature) return "[secret]";
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inClear(inner)]));
}
