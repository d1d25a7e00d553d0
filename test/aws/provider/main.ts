// Runs the provider as a process. It prints its port for PULUMI_DEBUG_PROVIDERS=aws:<port>.
import * as pulumi from "@pulumi/pulumi";
import { provider } from "./provider.ts";

await pulumi.provider.main(provider, []);
