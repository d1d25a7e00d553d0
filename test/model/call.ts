import { z } from "zod";

/** A recorded call of the engine to the provider. It contains no values. */
export const callSchema = z.strictObject({
  method: z.enum(["check", "diff", "create", "read", "update", "delete"]),
  type: z.string(),
  /** Distinguishes resources of a type in a trace: the tenant's or fleet's name, the build's tag, or the tenant's key. */
  of: z.string(),
  /** Whether an id was given. */
  hasId: z.boolean(),
  /** Whether old properties were given. */
  hasOlds: z.boolean(),
  /** The keys of the inputs (check, diff, create, update), or of the state (read, delete). */
  keys: z.array(z.string()),
  /** How it ended. */
  outcome: z.enum(["success", "failures", "error", "partial error"]),
});
export type Call = z.infer<typeof callSchema>;
export type Method = Call["method"];

/** The calls of one provider process. Each operation of the engine has its own process, and so has a preview. */
export const processTraceSchema = z.array(
  z.union([
    z.strictObject({ begin: z.int(), ...callSchema.omit({ outcome: true }).shape }),
    z.strictObject({ end: z.int(), outcome: callSchema.shape.outcome }),
  ]),
);
export type ProcessTrace = z.infer<typeof processTraceSchema>;

/** The recorded result of one command of a scenario. */
export const commandTraceSchema = z.strictObject({
  step: z.string(),
  succeeds: z.boolean(),
  processes: z.array(processTraceSchema),
});
export type CommandTrace = z.infer<typeof commandTraceSchema>;

type Wire = Readonly<Record<string, unknown>>;
type Work = (...parameters: never[]) => Promise<unknown>;

const providerKeys = ["__provider"];

/** The property that names a resource in a trace. */
export function subjectOf(properties: Wire = {}): string {
  const { name, tag, tenantId, triggers } = properties;
  const key = typeof triggers === "object" && triggers !== null && "of" in triggers ? triggers.of : undefined;
  return String(name ?? tag ?? key ?? (tenantId === undefined ? "?" : "a tenant id"));
}

function keysOf(properties: Wire = {}): string[] {
  return Object.keys(properties)
    .filter((key) => !providerKeys.includes(key) && properties[key] !== undefined)
    .sort();
}

/** A provider that records its calls as they begin and end. */
export function traced<Provider extends object>(
  type: string,
  provider: Provider,
  write: (event: ProcessTrace[number]) => void,
  nextNumber: () => number,
): Provider {
  const tracedMethod =
    (method: Method, work: Work) =>
    async (...parameters: never[]) => {
      const number = nextNumber();
      write({ begin: number, ...describe(method, type, parameters) });
      try {
        const result = await work(...parameters);
        const failures = Object(result).failures;
        write({ end: number, outcome: Array.isArray(failures) && failures.length > 0 ? "failures" : "success" });
        return result;
      } catch (error) {
        write({ end: number, outcome: Object(error).id === undefined ? "error" : "partial error" });
        throw error;
      }
    };
  return new Proxy(provider, {
    get: (target, name) => {
      const work: unknown = Reflect.get(target, name);
      const { data: method } = callSchema.shape.method.safeParse(name);
      return method === undefined || !isWork(work) ? work : tracedMethod(method, work);
    },
  });
}

function isWork(value: unknown): value is Work {
  return typeof value === "function";
}

function describe(method: Method, type: string, parameters: readonly unknown[]): Omit<Call, "outcome"> {
  const [first, second, third] = parameters.map((parameter): Wire => Object(parameter));
  const isEmpty = (properties: Wire = {}) => keysOf(properties).length === 0;
  if (method === "check") {
    return { method, type, of: subjectOf(second), hasId: false, hasOlds: !isEmpty(first), keys: keysOf(second) };
  }
  if (method === "create") {
    return { method, type, of: subjectOf(first), hasId: false, hasOlds: false, keys: keysOf(first) };
  }
  if (method === "diff" || method === "update") {
    return { method, type, of: subjectOf(second), hasId: true, hasOlds: !isEmpty(second), keys: keysOf(third) };
  }
  return { method, type, of: subjectOf(second), hasId: true, hasOlds: true, keys: keysOf(second) };
}
