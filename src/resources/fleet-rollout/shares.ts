/**
 * A share as a number of tenants, rounded down. It computes with integers, as 0.29 * 100 is not 29.
 *
 * @param share a number, or a percentage such as `"10%"`.
 */
export function shareOf(share: number | string, tenants: number): number {
  if (typeof share === "number") return share;
  const [whole = "", fraction = ""] = share.replace("%", "").split(".");
  return Math.floor((Number(whole + fraction) * tenants) / (100 * 10 ** fraction.length));
}
