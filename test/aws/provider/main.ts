// The provider as a process: prints its port, to be given to the engine as PULUMI_DEBUG_PROVIDERS=aws:<port>.
import * as pulumi from "@pulumi/pulumi";
import { provider } from "./provider.ts";

await pulumi.provider.main(provider, []);
