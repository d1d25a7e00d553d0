import { stackDocument } from "../../editor-schema/documents.ts";
import type { ReleaseAdditions } from "../../editor-schema/release-additions.ts";
import { toJson } from "../output.ts";

/** The JSON Schema of a stack's YAML, with what the releases add. */
export function renderSchema(additions: ReleaseAdditions): string {
  return toJson(stackDocument(additions));
}
