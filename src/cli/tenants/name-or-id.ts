import { oneLine } from "../../json/one-line.ts";
import { shortList } from "../../json/short-list.ts";
import { CommandError } from "../subcommand.ts";

/** How a command line names something: `acme`, `1003`, `name:1003` or `id:1003`. */
export interface NameOrId {
  name?: string;
  id?: number;
}

/** A whole number may be an id or a name. `id:` and `name:` decide. */
export function parseNameOrId(text: string): NameOrId {
  const [, prefix, rest = ""] = /^(id|name):(.*)$/su.exec(text) ?? [];
  if (prefix === "name") return { name: rest };
  const id = prefix === "id" ? rest : text;
  const isId = /^\d+$/.test(id) && Number.isSafeInteger(Number(id));
  if (prefix === "id" && isId) return { id: Number(id) };
  return isId ? { name: text, id: Number(id) } : { name: text };
}

/**
 * The things that a name or an id means among those that exist: the one with the id, or else those with the name.
 *
 * @param what such as `tenant`, for messages.
 * @throws CommandError if one has the id and another one has the name.
 */
export function meantAmong<Thing extends { id: number; name: string }>(
  what: string,
  { name, id }: NameOrId,
  things: Iterable<Thing>,
): Thing[] {
  const all = [...things];
  const ofId = all.filter((one) => one.id === id);
  const named = all.filter((one) => one.name === name && one.id !== id);
  if (ofId.length === 0 || named.length === 0) return [...ofId, ...named];
  const shown = shortList([...ofId, ...named].map((one) => oneLine(`${one.name} (${one.id})`)));
  throw new CommandError(
    `"${name}" is the id of one ${what} and the name of another: ${shown}. Write id:${id} or name:${name}`,
  );
}
