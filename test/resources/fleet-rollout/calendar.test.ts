import { describe, expect, test } from "vitest";
import { calendarProblems, describeTime, frozenAt, openingAt } from "../../../src/resources/fleet-rollout/calendar.ts";

const at = (text: string) => new Date(text);
const berlin = { timeZone: "Europe/Berlin" };
const officeHours = { ...berlin, windows: ["* 9-15 * * 1-4"] };
const holidays = [{ from: "2026-12-20", to: "2027-01-03" }];

describe("a calendar without windows and freezes", () => {
  test("is always open", () => {
    expect(openingAt({}, at("2026-11-22T03:00:00Z"))).toEqual({ isOpen: true });
    expect(frozenAt({}, at("2026-11-22T03:00:00Z"))).toEqual({ isOpen: true });
  });
});

describe("windows", () => {
  test.each([
    ["their first second", "2026-11-23T08:00:00Z"],
    ["their last millisecond", "2026-11-26T14:59:59.999Z"],
    ["a minute between", "2026-11-24T11:30:59Z"],
  ])("are open in %s", (_, time) => {
    expect(openingAt(officeHours, at(time))).toEqual({ isOpen: true });
  });

  test.each([
    ["a second before", "2026-11-23T07:59:59Z", "2026-11-23T08:00:00Z"],
    ["after the last minute of a day", "2026-11-23T15:00:00Z", "2026-11-24T08:00:00Z"],
    ["on a Friday, until Monday", "2026-11-27T10:00:00Z", "2026-11-30T08:00:00Z"],
  ])("are closed %s", (_, time, opensAt) => {
    expect(openingAt(officeHours, at(time))).toEqual({
      isOpen: false,
      reason: "outside its windows",
      opensAt: at(opensAt),
    });
  });

  test("are in UTC by default", () => {
    expect(openingAt({ windows: ["0 9 * * *"] }, at("2026-07-01T09:00:30Z")).isOpen).toBe(true);
    expect(openingAt({ windows: ["0 9 * * *"] }, at("2026-07-01T09:01:00Z")).isOpen).toBe(false);
  });

  test("are open while any of them is open, and open next when the earliest of them opens", () => {
    const windows = ["0-29 9 * * *", "30-59 14 * * 5"];
    expect(openingAt({ windows }, at("2026-11-27T14:45:00Z")).isOpen).toBe(true);
    expect(openingAt({ windows }, at("2026-11-27T10:00:00Z")).opensAt).toEqual(at("2026-11-27T14:30:00Z"));
    expect(openingAt({ windows }, at("2026-11-26T10:00:00Z")).opensAt).toEqual(at("2026-11-27T09:00:00Z"));
  });

  test("follow the clocks of their time zone into summer and back", () => {
    expect(openingAt(officeHours, at("2026-03-30T06:59:00Z")).opensAt).toEqual(at("2026-03-30T07:00:00Z"));
    expect(openingAt(officeHours, at("2026-03-26T07:59:00Z")).opensAt).toEqual(at("2026-03-26T08:00:00Z"));
    expect(openingAt(officeHours, at("2026-10-26T07:59:00Z")).opensAt).toEqual(at("2026-10-26T08:00:00Z"));
  });

  test("do not open in an hour that the clocks skip, and open twice in an hour that the clocks repeat", () => {
    const nights = { ...berlin, windows: ["* 2 * * *"] };
    expect(openingAt(nights, at("2026-03-29T01:00:00Z")).opensAt).toEqual(at("2026-03-30T00:00:00Z"));
    expect(openingAt(nights, at("2026-10-25T00:15:00Z")).isOpen).toBe(true);
    expect(openingAt(nights, at("2026-10-25T01:15:00Z")).isOpen).toBe(true);
    expect(openingAt(nights, at("2026-10-25T02:15:00Z")).isOpen).toBe(false);
  });

  test("that do not open within two years have no next opening", () => {
    const leapDays = { windows: ["* * 29 2 *"] };
    expect(openingAt(leapDays, at("2025-03-01T00:00:00Z"))).toEqual({ isOpen: false, reason: "outside its windows" });
    expect(openingAt(leapDays, at("2026-03-01T00:00:00Z")).opensAt).toEqual(at("2028-02-29T00:00:00Z"));
  });
});

describe("freezes", () => {
  const reason = "frozen from 2026-12-20 to 2027-01-03";
  const calendar = { ...berlin, freeze: holidays };

  test.each([
    ["the first second of the first day", "2026-12-19T23:00:00Z"],
    ["the last second of the last day", "2027-01-03T22:59:59Z"],
  ])("last in %s of their time zone", (_, time) => {
    const frozen = { isOpen: false, reason, opensAt: at("2027-01-03T23:00:00Z") };
    expect(frozenAt(calendar, at(time))).toEqual(frozen);
    expect(openingAt(calendar, at(time))).toEqual(frozen);
  });

  test.each([
    ["before the first day", "2026-12-19T22:59:59Z"],
    ["after the last day", "2027-01-03T23:00:00Z"],
  ])("do not last %s", (_, time) => {
    expect(frozenAt(calendar, at(time))).toEqual({ isOpen: true });
  });

  test("are in UTC by default", () => {
    expect(frozenAt({ freeze: holidays }, at("2026-12-20T00:00:00Z")).opensAt).toEqual(at("2027-01-04T00:00:00Z"));
    expect(frozenAt({ freeze: holidays }, at("2026-12-19T23:59:59Z")).isOpen).toBe(true);
  });

  test("of one day last that day", () => {
    const freeze = [{ from: "2026-12-24", to: "2026-12-24" }];
    expect(frozenAt({ freeze }, at("2026-12-24T12:00:00Z"))).toEqual({
      isOpen: false,
      reason: "frozen from 2026-12-24 to 2026-12-24",
      opensAt: at("2026-12-25T00:00:00Z"),
    });
  });

  test("that overlap or adjoin end when the last of them ends", () => {
    const freeze = [
      { from: "2026-12-20", to: "2026-12-26" },
      { from: "2026-12-27", to: "2027-01-03" },
      { from: "2026-12-25", to: "2026-12-30" },
    ];
    expect(frozenAt({ freeze }, at("2026-12-21T00:00:00Z")).opensAt).toEqual(at("2027-01-04T00:00:00Z"));
  });

  test.each([
    ["in the far east", "Pacific/Kiritimati", "2027-01-03T10:00:00Z"],
    ["in the far west", "Pacific/Pago_Pago", "2027-01-04T11:00:00Z"],
    ["with minutes", "Asia/Kathmandu", "2027-01-03T18:15:00Z"],
  ])("end at midnight of a time zone %s", (_, timeZone, end) => {
    expect(frozenAt({ timeZone, freeze: holidays }, at("2026-12-25T00:00:00Z")).opensAt).toEqual(at(end));
  });

  test("end at 01:00 where clocks skip midnight", () => {
    // In Beirut, 2026-03-29 begins at 01:00 summer time, which is 22:00 UTC of the day before.
    const freeze = [{ from: "2026-03-01", to: "2026-03-28" }];
    const beirut = { timeZone: "Asia/Beirut", freeze };
    expect(frozenAt(beirut, at("2026-03-28T21:59:59Z")).opensAt).toEqual(at("2026-03-28T22:00:00Z"));
    expect(frozenAt(beirut, at("2026-03-28T22:00:00Z")).isOpen).toBe(true);
  });

  test("of more than two years have no end", () => {
    const freeze = [{ from: "2020-01-01", to: "9999-12-31" }];
    expect(frozenAt({ freeze }, at("2026-12-21T00:00:00Z"))).toEqual({
      isOpen: false,
      reason: "frozen from 2020-01-01 to 9999-12-31",
    });
  });
});

describe("windows and freezes", () => {
  const calendar = { ...officeHours, freeze: holidays };

  test("open at the first window after the freeze", () => {
    expect(openingAt(calendar, at("2026-12-22T10:00:00Z"))).toEqual({
      isOpen: false,
      reason: "frozen from 2026-12-20 to 2027-01-03",
      opensAt: at("2027-01-04T08:00:00Z"),
    });
    expect(openingAt(calendar, at("2026-12-17T15:00:00Z"))).toEqual({
      isOpen: false,
      reason: "outside its windows",
      opensAt: at("2027-01-04T08:00:00Z"),
    });
  });

  test("freeze a wave that has started, whatever the windows say", () => {
    expect(frozenAt(calendar, at("2026-12-18T03:00:00Z"))).toEqual({ isOpen: true });
    expect(frozenAt(calendar, at("2026-12-22T03:00:00Z")).opensAt).toEqual(at("2027-01-03T23:00:00Z"));
  });
});

describe("a time in a status", () => {
  const now = at("2026-11-22T12:00:00Z");

  test.each([
    ["today", "2026-11-22T14:05:00Z", undefined, "14:05 UTC"],
    ["at midnight", "2026-11-22T00:00:00Z", undefined, "00:00 UTC"],
    ["on another day", "2026-11-23T08:00:00Z", "Europe/Berlin", "Mon 23 Nov 09:00 Europe/Berlin"],
    [
      "on a day that has begun in its time zone",
      "2026-11-22T23:30:00Z",
      "Europe/Berlin",
      "Mon 23 Nov 00:30 Europe/Berlin",
    ],
    ["in September", "2027-09-01T09:00:00Z", undefined, "Wed 1 Sep 2027 09:00 UTC"],
    ["in another year", "2027-01-04T08:00:00Z", "Europe/Berlin", "Mon 4 Jan 2027 09:00 Europe/Berlin"],
  ])("%s", (_, time, timeZone, text) => {
    expect(describeTime(at(time), now, timeZone)).toBe(text);
  });
});

describe("mistakes in a calendar", () => {
  test("a correct calendar has none", () => {
    const windows = ["* 9-15 * * 1-4", "*/5 0 29 2 *", "0 0 1 jan MON-FRI"];
    expect(calendarProblems({ windows, timeZone: "Europe/Berlin", freeze: holidays })).toEqual([]);
    expect(calendarProblems({ timeZone: "UTC", freeze: [{ from: "2028-02-29", to: "2028-02-29" }] })).toEqual([]);
    expect(calendarProblems({})).toEqual([]);
  });

  test.each([
    ["0 0 30 2 *", "never opens: no day has this date"],
    ["0 0 31 4,6,9,11 *", "never opens: no day has this date"],
    ["* 24 * * *", "hour 24 is not 0 to 23"],
    [
      "9-15",
      expect.stringMatching(/^has 1 field; a cron schedule has five: .* day of week, such as "\* 9-15 \* \* 1-4"/),
    ],
  ])("the window %s", (window, reason) => {
    const path = ["windows", 1];
    expect(calendarProblems({ windows: ["* * * * *", window] })).toEqual([{ path, reason }]);
  });

  test("the reason why a window is wrong mentions neither UTC nor none", () => {
    const [problem] = calendarProblems({ windows: ["often"], timeZone: "Europe/Berlin" });
    expect(problem?.reason).not.toMatch(/UTC|none/);
  });

  test("no windows", () => {
    const reason = "must not be empty; without windows a wave may start in any minute";
    expect(calendarProblems({ windows: [] })).toEqual([{ path: ["windows"], reason }]);
  });

  test.each([
    ["Europe/Berln", 'is not a time zone; did you mean "Europe/Berlin"?'],
    ["Mars", 'is not a time zone; write its name, such as "Europe/Berlin"'],
  ])("the time zone %s, beside a mistake in a window", (timeZone, reason) => {
    expect(calendarProblems({ timeZone, windows: ["0 0 30 2 *"] })).toEqual([
      { path: ["windows", 0], reason: "never opens: no day has this date" },
      { path: ["timeZone"], reason },
    ]);
  });

  test.each([
    ["2026-02-30", "2026-03-01", "from", "is not a day of the calendar"],
    ["2026-02-01", "2026-13-01", "to", "is not a day of the calendar"],
    ["2027-02-29", "2027-03-01", "from", "is not a day of the calendar"],
    [
      "2027-01-03",
      "2026-12-20",
      "to",
      'is before 2027-01-03; the freeze lasts from the start of "from" to the end of "to"',
    ],
  ])("the freeze from %s to %s", (from, to, key, reason) => {
    expect(calendarProblems({ freeze: [...holidays, { from, to }] })).toEqual([{ path: ["freeze", 1, key], reason }]);
  });
});
