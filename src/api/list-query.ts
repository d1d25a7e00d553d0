/** What both lists of the API take (specification, "Integrations" and "Tenants"). */
export interface ListQuery {
  /** True lists the archived ones. Default false. */
  archived?: boolean | undefined;
  /** Sortable field names are not documented. */
  sortBy?: { field: string; direction: "ASC" | "DESC" } | undefined;
  /** Records of a page, at most 500. */
  limit?: number | undefined;
  /** Records to skip. Default 0. */
  skip?: number | undefined;
}

/** The query in the API's own words; what is undefined is not sent. */
export function pageQuery({ archived, sortBy, limit, skip }: ListQuery) {
  const sort_by = sortBy === undefined ? undefined : `${sortBy.field}__${sortBy.direction}`;
  return { archived, sort_by, limit, skip };
}
