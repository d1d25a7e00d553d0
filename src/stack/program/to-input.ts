import * as pulumi from "@pulumi/pulumi";
import { isJsonObject } from "../../json/json-value.ts";
import type { ConfigNode } from "../config/config-node.ts";

/** The input of a resource for a value of a node: a Pulumi secret if the node is secret, otherwise with secrets for its secret parts. */
export function toInput<T>(value: T | undefined, node: ConfigNode | undefined): pulumi.Input<T> | undefined;
export function toInput(value: unknown, node: ConfigNode | undefined): unknown {
  if (value === undefined) return undefined;
  if (node?.isSecret) return pulumi.secret(value);
  if (Array.isArray(value)) return value.map((item, index) => toInput(item, node?.part(index)));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toInput(item, node?.part(key))]));
}
