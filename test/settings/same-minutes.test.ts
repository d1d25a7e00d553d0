import { describe, expect, test } from "vitest";
import { haveSameMinutes } from "../../src/settings/same-minutes.ts";

describe("two schedules have the same minutes", () => {
  test.each([
    ["if only white space and case differ", "0 5 * * MON", " 0\t5  * * mon "],
    ["if one names its time zone", "0 5 * * *", "0 5 * * * UTC"],
    ["if one has a step of * and the other one of its range", "*/15 * * * *", "0-59/15 * * * *"],
    ["if one has a step and the other a list", "0 */6 * * *", "0 0,6,12,18 * * *"],
    ["if one has a list in another order, or an item twice", "0 5,1,3 * * *", "0 1,3,5,3 * * *"],
    ["if one has a range and the other a list", "0 9-11 * * *", "0 9,10,11 * * *"],
    ["if one has a range of one value", "5-5 0 * * *", "5 0 * * *"],
    ["if one has a step that no value follows", "0 20-23/9 * * *", "0 20 * * *"],
    ["if one has a step of 1", "*/1 * * * *", "* * * * *"],
    ["if one has a full range of minutes, hours or months", "0-59 0-23 * 1-12 *", "* * * * *"],
    ["if one has leading zeros", "00 05 * * *", "0 5 * * *"],
    ["if one has names of months", "0 0 1 JAN,jul *", "0 0 1 1,7 *"],
    ["if one has a range of names", "0 0 * * MON-FRI", "0 0 * * 1-5"],
    ["if Sunday is 0 or 7", "0 0 * * 0", "0 0 * * 7"],
    ["if Sunday is SUN or 7", "0 0 * * sun", "0 0 * * 7"],
    ["if one has Sunday twice", "0 0 * * 0,7", "0 0 * * SUN"],
    ["if one has a full range of days of the month, and no day of the week", "0 0 1-31 * *", "0 0 * * *"],
    ["if one has a full range of days of the week, and no day of the month", "0 0 * * 0-6", "0 0 * * *"],
    ["if both may have one field of days or both", "0 0 */2 * MON", "0 0 */2 * 1"],
    ["if a step of days of the month is written as its range, and no day of the week", "0 0 */2 * *", "0 0 1-31/2 * *"],
    ["if signs that not every cron has are the same", "0 0 L * *", "0 0 l * * utc"],
  ])("%s: %s, %s", (_, left, right) => {
    expect([haveSameMinutes(left, right), haveSameMinutes(right, left)]).toEqual([true, true]);
  });
});

describe("two schedules have other minutes", () => {
  test.each([
    ["with another minute", "0 5 * * *", "1 5 * * *"],
    ["with another hour", "0 5 * * *", "0 6 * * *"],
    ["with another month", "0 0 1 1 *", "0 0 1 2 *"],
    ["with another day of the month", "0 0 1 * *", "0 0 2 * *"],
    ["with another day of the week", "0 0 * * 1", "0 0 * * 2"],
    ["with fewer values", "0 0,6,12 * * *", "0 */6 * * *"],
    ["with more values", "0 0,6,12,18,20 * * *", "0 */6 * * *"],
    ["with a step that begins elsewhere", "*/15 * * * *", "1-59/15 * * * *"],
    ["with digits that are joined", "05 * * * *", "0 5 * * *"],
    ["with Sunday among all other days", "0 0 * * 0-5", "0 0 * * 1-6"],
    // a cron that takes a step of * for any wants both fields of days to match, and one of two others
    ["with a step of * beside a day of the week", "0 0 */2 * 1", "0 0 1-31/2 * 1"],
    ["with a step of days of the week beside a day of the month", "0 0 1 * */2", "0 0 1 * 0-6/2"],
    ["with a full range beside a day of the week", "0 0 1-31 * 1", "0 0 * * 1"],
    ["with * and a step of 1 beside a day of the week", "0 0 */1 * 1", "0 0 * * 1"],
    ["with a day of the month or of the week, and only one of them", "0 0 1 * 1", "0 0 1 * *"],
    ["with a day of the month or of the week, and only the other one", "0 0 1 * 1", "0 0 * * 1"],
    ["with a day of the month or of the week, and another one", "0 0 1 * 1", "0 0 2 * 1"],
    ["with a step that has a sign or a fraction", "*/+15 * * * *", "*/15 * * * *"],
    ["with a step of a step", "*/15/1 * * * *", "*/15 * * * *"],
    ["with a range of three ends", "0-30-59 * * * *", "0-30 * * * *"],
    ["with L", "0 0 L * *", "0 0 31 * *"],
    ["with #", "0 0 * * 1#2", "0 0 8-14 * 1"],
    ["with ?", "0 0 1 * ?", "0 0 1 * *"],
    ["with H", "H 0 * * *", "0 0 * * *"],
    ["with seconds", "0 0 5 * * *", "0 5 * * *"],
    ["with another time zone", "0 5 * * * CET", "0 5 * * *"],
    ["with a range that runs backwards", "0 22-2 * * *", "0 22,23,0,1,2 * * *"],
    ["with a step and no range", "5/15 * * * *", "5,20,35,50 * * * *"],
    ["with a step of 0", "*/0 * * * *", "* * * * *"],
    ["with a value outside its field", "60 * * * *", "0 * * * *"],
    ["with an empty item", "0,, * * * *", "0 * * * *"],
    ["with a time zone alone", "UTC", "* * * * *"],
    ["where one is none", "none", "* * * * *"],
  ])("%s: %s, %s", (_, left, right) => {
    expect([haveSameMinutes(left, right), haveSameMinutes(right, left)]).toEqual([false, false]);
  });
});

test("the same words are the same schedule, whatever they mean", () => {
  expect(["none", "5/15 * * * *", "0 0 0 L * ? 2026"].filter((text) => !haveSameMinutes(text, text))).toEqual([]);
});
