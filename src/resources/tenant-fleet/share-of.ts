/**
 * A share as a number of tenants. It computes with integers, as 0.29 * 100 is not 29.
 *
 * @param share a number, or a percentage such as `"10%"`.
 * @param round makes a whole number of a percentage's.
 */
export function shareOf(share: number | string, tenants: number, round: (count: number) => number): number {
  if (typeof share === "number") return share;
  const [whole = "", fraction = ""] = share.replace("%", "").split(".");
  return round((Number(whole + fraction) * tenants) / (100 * 10 ** fraction.length));
}
