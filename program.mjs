// The program of this project's stacks: src/program.ts in one file with what it imports. So it starts with three quarters of the
// processor time.
import { pathToFileURL } from "node:url";
import { builtProgram } from "./engine/built-program.ts";

const { default: outputs } = await import(pathToFileURL(await builtProgram()).href);
export default outputs;
