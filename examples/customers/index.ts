// The program of this repository, which reads Pulumi.<stack>.yaml. In a clone of your own, the layout is at the top level.
export { default } from "../../src/program.ts";
