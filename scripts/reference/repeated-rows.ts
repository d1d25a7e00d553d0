import { joined, table } from "./markdown.ts";

/** A table that another one may name instead of repeating its rows. */
export interface WrittenTable {
  /** Where the table is, as Markdown that other tables show: `[Release](#release)`. */
  readonly place: string;
  readonly rows: readonly (readonly string[])[];
}

/** Writes the tables of a page, in their order. */
export interface Tables {
  /**
   * A table. If rows of it stand in an earlier table, or in one of another page, a sentence names them, and the table has the others.
   *
   * @param rows each begins with a name, as code.
   */
  write(place: string, header: readonly string[], rows: readonly (readonly string[])[]): string;
}

/** How many rows an earlier table must have in common with a table to be named. */
const fewest = 3;

/** @param ofOtherPages tables of other pages that those of this page may name. */
export function createTables(ofOtherPages: readonly WrittenTable[] = []): Tables {
  const written = ofOtherPages.map(({ place, rows }) => ({ place, rows: new Set(rows.map(keyOf)) }));
  return {
    write: (place, header, rows) => {
      const earlier = written
        .map((one) => ({ ...one, shared: rows.filter((row) => one.rows.has(keyOf(row))) }))
        .reduce<Shared | undefined>(
          (most, one) => (one.shared.length > (most?.shared.length ?? 0) ? one : most),
          undefined,
        );
      written.push({ place, rows: new Set(rows.map(keyOf)) });
      if (earlier === undefined || earlier.shared.length < fewest) return table(header, rows);
      const others = rows.filter((row) => !earlier.shared.includes(row));
      return joined(sentence(earlier, others.length > 0), table(header, others));
    },
  };
}

interface Shared {
  readonly place: string;
  readonly rows: ReadonlySet<string>;
  readonly shared: readonly (readonly string[])[];
}

function sentence({ place, rows, shared }: Shared, hasOthers: boolean): string {
  const end = hasOthers ? ", and:" : ".";
  if (shared.length === rows.size) return `All of ${place}${end}`;
  return `As in ${place}: ${shared.map(([name = ""]) => name).join(", ")}${end}`;
}

/** What identifies a row: what it says, wherever its links lead. Whether a value is required says the same of what is given as "always set" of what is returned. */
function keyOf(row: readonly string[]): string {
  return JSON.stringify(
    row.map((cell) => (cell === "required" ? "yes" : cell === "" ? "no" : cell.replaceAll(/\]\([^)]*\)/g, "]"))),
  );
}
