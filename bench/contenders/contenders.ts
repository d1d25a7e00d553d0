import { backendNames } from "../backends/backend.ts";
import type { Contender } from "./contender.ts";
import { pulumiContender } from "./pulumi-contender.ts";
import { terraformContender } from "./terraform-contender.ts";

/** The ways to bring about many tenants that are measured beside each other. */
export const contenders: readonly Contender[] = [
  pulumiContender("tenants", backendNames),
  pulumiContender("fleet", backendNames),
  terraformContender,
  pulumiContender("plain"),
];
