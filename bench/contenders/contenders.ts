import { backendNames } from "../backends/backend.ts";
import type { Contender, ContenderName } from "./contender.ts";
import { pulumiContender } from "./pulumi-contender.ts";
import { terraformContender } from "./terraform-contender.ts";

/** The ways to manage many tenants that the benchmark compares. */
export const contenders: readonly Contender[] = [
  pulumiContender("tenants", backendNames),
  pulumiContender("fleet", backendNames),
  pulumiContender("native", backendNames),
  pulumiContender("native-fleet", backendNames),
  terraformContender,
  pulumiContender("plain"),
];

export function contenderNamed(name: ContenderName): Contender {
  const found = contenders.find((contender) => contender.name === name);
  if (found === undefined) throw new Error(`there is no contender ${name}`);
  return found;
}
