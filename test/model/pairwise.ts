/** A value for each parameter. */
export type Row = Readonly<Record<string, string>>;

/**
 * Returns few rows that contain every pair of values of two parameters at least once. The result is deterministic. The
 * first row has the first value of each parameter.
 */
export function pairwise(parameters: Readonly<Record<string, readonly string[]>>): Row[] {
  const names = Object.keys(parameters);
  const open = new Set(
    names.flatMap((left, index) =>
      names
        .slice(index + 1)
        .flatMap((right) =>
          (parameters[left] ?? []).flatMap((value) =>
            (parameters[right] ?? []).map((other) => pair(left, value, right, other)),
          ),
        ),
    ),
  );
  const rows: Row[] = [];
  const add = (row: Row) => {
    rows.push(row);
    for (const key of pairsOf(row)) open.delete(key);
  };
  add(Object.fromEntries(names.map((name) => [name, parameters[name]?.[0] ?? ""])));
  for (let next = first(open); next !== undefined; next = first(open)) add(rowAround(parseRow(next), parameters, open));
  return rows;
}

/** The row with this pair and, for each other parameter, the value that covers most of the open pairs. */
function rowAround(
  begun: Row,
  parameters: Readonly<Record<string, readonly string[]>>,
  open: ReadonlySet<string>,
): Row {
  const row: Record<string, string> = { ...begun };
  for (const [name, values] of Object.entries(parameters)) {
    if (name in row) continue;
    const gain = (value: string) => pairsOf({ ...row, [name]: value }).filter((key) => open.has(key)).length;
    row[name] = [...values].sort((left, right) => gain(right) - gain(left))[0] ?? "";
  }
  return row;
}

function pairsOf(row: Row): string[] {
  const entries = Object.entries(row);
  return entries.flatMap(([left, value], index) =>
    entries.slice(index + 1).map(([right, other]) => pair(left, value, right, other)),
  );
}

function pair(left: string, value: string, right: string, other: string): string {
  const both = [`${left}=${value}`, `${right}=${other}`];
  return both.sort().join("&");
}

function parseRow(key: string): Row {
  return Object.fromEntries(key.split("&").map((part) => part.split("=")));
}

function first(set: ReadonlySet<string>): string | undefined {
  const [value] = set;
  return value;
}
