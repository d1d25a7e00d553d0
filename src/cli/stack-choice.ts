import { Option } from "@commander-js/extra-typings";

/** The stack that a command line names. */
export interface StackChoice {
  /** Default: the selected stack. */
  stack?: string | undefined;
  /** Folder of Pulumi.yaml, or a folder below it. Default: the working directory. */
  cwd?: string | undefined;
}

/** The stack whose config has what the environment does not say. */
export interface ConnectionChoice extends StackChoice {
  /** Folder whose selected stack declares the words in which the platform shows statuses, if Pulumi can read it. */
  wordsFrom?: string | undefined;
  /** Whether the profile that is named is not read: it is about to be made. Default: false. */
  isProfileIgnored?: boolean | undefined;
}

/** `--stack NAME`. */
export function stackOption(description = "name of the stack (default: the selected stack)") {
  return new Option("--stack <name>", description);
}

/** `--stack NAME` of a command that needs no stack, but can connect to the platform as a stack does. */
export function connectionStackOption() {
  return stackOption(
    "read the address, the API key and the other settings of the connection from this stack's config, with the Pulumi CLI",
  );
}

/** `--cwd FOLDER`, which belongs to `--stack`. */
export function cwdOption() {
  return new Option("--cwd <folder>", "folder of Pulumi.yaml, or a folder below it (default: the working directory)");
}
