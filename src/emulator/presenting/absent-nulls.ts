/** A copy without its null fields when the variant `nulls` says so. Looks at the fields themselves, not inside them. */
export function absentNulls<Fields extends object>(nulls: "present" | "absent", fields: Fields): Partial<Fields> {
  if (nulls === "present") return fields;
  const kept: Partial<Fields> = { ...fields };
  for (const key in kept) {
    if (kept[key] === null) delete kept[key];
  }
  return kept;
}
