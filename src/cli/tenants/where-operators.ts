/**
 * A value that a tenant does not have. The library takes this object as false in conditions, and in lists as a value that is
 * equal to no other. With `undefined` it would fail.
 */
export const missing: object = Object(false);

/** Evaluating the condition needs the tenant's metadata, which were not read. */
export class MetadataUnread extends Error {
  override readonly name = "MetadataUnread";
}

/** How the library evaluates a condition on the fields of a tenant. */
export const whereOptions = {
  constants: { true: true, false: false, null: missing },
  extraFunctions: {
    exists: (value: unknown) => value !== missing,
    empty: (value: unknown) => value === missing || value === "" || (Array.isArray(value) && value.length === 0),
  },
  /** Only own properties, so that nothing of JavaScript's objects can be reached. */
  customProp: (name: string, _: unknown, object: unknown, type: "unescaped" | "single-quoted"): unknown => {
    const keys = type === "single-quoted" ? [name] : name.split(".");
    return keys.reduce<unknown>((value, key) => {
      if (typeof value !== "object" || value === null || value === missing || !Object.hasOwn(value, key))
        return missing;
      const own: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
      if (own === unread) throw new MetadataUnread();
      return own ?? missing;
    }, object);
  },
  operators: {
    "+": arithmetic((left, right) => left + right),
    "-": (left: unknown, right?: unknown) => (right === undefined ? subtract(0, left) : subtract(left, right)),
    "*": arithmetic((left, right) => left * right),
    "/": arithmetic((left, right) => left / right),
    "^": arithmetic((left, right) => left ** right),
    mod: arithmetic((left, right) => ((left % right) + right) % right),
    "==": (left: unknown, right: unknown) => left === right,
    "!=": (left: unknown, right: unknown) => left !== right,
    "<": ordered((order) => order < 0),
    "<=": ordered((order) => order <= 0),
    ">=": ordered((order) => order >= 0),
    ">": ordered((order) => order > 0),
    "~=": (text: unknown, pattern: unknown) => typeof text === "string" && patternOf(pattern).test(text),
  },
} as const;

/** Stands for metadata that were not read. */
export const unread: unique symbol = Symbol("unread");

const subtract = arithmetic((left, right) => left - right);

function arithmetic(compute: (left: number, right: number) => number) {
  return (left: unknown, right: unknown): unknown => {
    if (left === missing || right === missing) return missing;
    if (typeof left === "number" && typeof right === "number") return compute(left, right);
    throw new Error(`arithmetic needs numbers, but got ${[left, right].map(typeOf).join(" and ")}`);
  };
}

/** Compares two numbers or two strings, such as times. A missing value is neither less nor greater. */
function ordered(isMet: (order: number) => boolean) {
  return (left: unknown, right: unknown): boolean => {
    if (left === missing || right === missing) return false;
    if (typeof left === "number" && typeof right === "number") return isMet(left - right);
    if (typeof left === "string" && typeof right === "string") return isMet(left < right ? -1 : left > right ? 1 : 0);
    throw new Error(`it compares ${typeOf(left)} with ${typeOf(right)}: both must be numbers, or both strings`);
  };
}

function patternOf(pattern: unknown): RegExp {
  try {
    return new RegExp(typeof pattern === "string" ? pattern : "[");
  } catch {
    throw new Error("the value after ~= is not a regular expression");
  }
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return { string: "a string", number: "a number", boolean: "true or false" }[String(typeof value)] ?? "an object";
}
