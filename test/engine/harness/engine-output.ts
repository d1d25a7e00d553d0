import { z } from "zod";

const resourceSchema = z.looseObject({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).default({}),
  outputs: z.record(z.string(), z.unknown()).default({}),
  initErrors: z.array(z.string()).optional(),
});

const exportSchema = z.looseObject({
  deployment: z.looseObject({ resources: z.array(resourceSchema).default([]) }),
});

const previewSchema = z.looseObject({
  steps: z
    .array(
      z.looseObject({
        op: z.string(),
        urn: z.string(),
        detailedDiff: z.record(z.string(), z.looseObject({ kind: z.string() })).nullish(),
        diffReasons: z.array(z.string()).nullish(),
        replaceReasons: z.array(z.string()).nullish(),
      }),
    )
    .default([]),
  changeSummary: z.record(z.string(), z.number()).default({}),
  diagnostics: z.array(z.looseObject({ message: z.string().optional(), severity: z.string().optional() })).default([]),
});

/** A resource in the state. */
export type ResourceState = z.infer<typeof resourceSchema>;

/** The output of `preview --json`. `changeSummary` counts resources by operation (`same`, `create`, `update`, ...). */
export type Preview = z.infer<typeof previewSchema>;

/** The output of `stack export`: every resource, including the stack and its providers, and the text itself. */
export interface ExportedState {
  readonly text: string;
  readonly resources: readonly ResourceState[];
}

export function parseState(text: string): ExportedState {
  return { text, resources: exportSchema.parse(JSON.parse(text)).deployment.resources };
}

export function parsePreview(text: string): Preview {
  return previewSchema.parse(JSON.parse(text));
}
