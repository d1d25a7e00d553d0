/** The messages in the output of a command of the engine. */
export function diagnosticsOf(output: string): string {
  return sectionsOf(output).join("\n");
}

/** What an `up` says about the rollout that has failed. */
export function failureOf(output: string): string {
  return sectionsOf(output).find((section) => section.includes(" has failed")) ?? "";
}

/** Where a rollout stands after an `up`: the messages after the plan; the first line of the plan if there are none. */
export function standOf(output: string): string {
  const lines = diagnosticsOf(output).split("\n");
  const plan = lines.findLastIndex((line) => line.startsWith(" "));
  const after = lines.slice(plan + 1);
  const stand = after.length > 0 ? after : lines.slice(0, plan);
  return stand.filter((line) => line.startsWith("rollout of ")).join("\n");
}

/** The messages of each resource, without what the engine adds to an error. */
function sectionsOf(output: string): string[] {
  const [, after = ""] = output.split(/^Diagnostics:$/m);
  const [messages = ""] = after.split(/^(?:Outputs|Resources):/m);
  return messages.split(/^ {2}\S.*:$/m).flatMap((section) => {
    const lines = section
      .split("\n")
      .filter((line) => /\S/.test(line) && !/error: (1 error occurred|update failed)/.test(line))
      .map((line) => line.replace(/^ {4}(\t\* )?/, ""));
    return lines.length === 0 ? [] : [lines.join("\n")];
  });
}
