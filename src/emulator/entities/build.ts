import { z } from "zod";
import { minLength } from "../../text-schema.ts";

/** Specification, "CreateBuild". */
export const createBuildSchema = z.object({
  tag: z.string().check(minLength(1)),
  integration_id: z.int(),
  branch: z.string().nullish(),
});

/** A build as the emulator keeps it. */
export interface BuildRecord {
  readonly id: number;
  readonly integration_id: number;
  readonly tag: string;
  readonly branch: string | null;
  readonly created_date: string;
  /** null until it is through; for ever in the variant `builds=never`. */
  readonly completed_date: string | null;
  /** How many releases it becomes. */
  readonly copies: number;
  readonly release_ids: readonly number[];
}
