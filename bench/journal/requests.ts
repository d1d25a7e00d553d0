import { gunzipSync } from "node:zlib";
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { z } from "zod";
import type { StackFiles, StackName } from "./stack-files.ts";

/** Parses the body of a request, which the engine may have compressed. @throws ZodError or SyntaxError, answered with 400. */
export async function parseBody<T>({ req }: Context, schema: z.ZodType<T>): Promise<T> {
  const bytes = Buffer.from(await req.arrayBuffer());
  const text = req.header("content-encoding") === "gzip" ? gunzipSync(bytes) : bytes;
  return schema.parse(JSON.parse(text.toString()));
}

/** The stack in the path of a request. @throws HTTPException 404 if it does not exist. */
export function stackIn(context: Context, files: StackFiles): StackName {
  const name = stackName(context.req.param("organization"), context.req.param("project"), context.req.param("stack"));
  if (files.has(name)) return name;
  throw new HTTPException(404, { message: "Not Found: Stack not found" });
}

/** @throws HTTPException 400 for names that cannot be names of files. */
export function stackName(organization = "", project = "", stack = ""): StackName {
  const wrong = [organization, project, stack].find((name) => !/^[a-z0-9_][\w.-]*$/i.test(name));
  if (wrong === undefined) return { organization, project, stack };
  throw new HTTPException(400, { message: `Bad Request: "${wrong}" is no name of a stack` });
}
