import { describe, expect, test } from "vitest";
import type { AlarmState } from "./declared-alarm.ts";
import { type DataPoint, nextState } from "./next-state.ts";

// The tables of the Amazon CloudWatch User Guide, "How alarm state is evaluated when data is missing": 0 is a good data point,
// X a breaching one, and - a missing one. The guide says "retain current state" where the tables have "-".

const treatments = ["missing", "ignore", "breaching", "notBreaching"] as const;

describe.each([
  {
    datapointsToAlarm: 3,
    rows: [
      ["0 - X - X", "OK", "OK", "OK", "OK"],
      ["0 - - - -", "OK", "OK", "OK", "OK"],
      ["- - - - -", "INSUFFICIENT_DATA", "-", "ALARM", "OK"],
      ["0 X X - X", "ALARM", "ALARM", "ALARM", "ALARM"],
      ["- - X - -", "ALARM", "-", "ALARM", "OK"],
    ],
  },
  {
    datapointsToAlarm: 2,
    rows: [
      ["0 - X - X", "ALARM", "ALARM", "ALARM", "ALARM"],
      ["0 0 X 0 X", "ALARM", "ALARM", "ALARM", "ALARM"],
      ["0 - X - -", "OK", "OK", "ALARM", "OK"],
      ["- - - - 0", "OK", "OK", "ALARM", "OK"],
      ["- - - X -", "ALARM", "-", "ALARM", "OK"],
    ],
  },
])(
  "the clock agrees with CloudWatch's guide for $datapointsToAlarm of 3 data points:",
  ({ datapointsToAlarm, rows }) => {
    test.each(rows)("%s", (points, ...expected) => {
      const range = points.split(" ").map((point): DataPoint => ({ "0": 0, X: 1 })[point]);
      for (const current of ["OK", "ALARM", "INSUFFICIENT_DATA"] satisfies AlarmState[]) {
        const states = treatments.map((treatMissingData) => {
          const rule = {
            isBreaching: (value: number) => value > 0,
            evaluationPeriods: 3,
            datapointsToAlarm,
            treatMissingData,
          };
          return nextState(rule, range, current);
        });
        expect(states).toEqual(expected.map((state) => (state === "-" ? current : state)));
      }
    });
  },
);

test("one breaching data point that is the newest does not fire yet if three are needed", () => {
  const rule = {
    isBreaching: (value: number) => value > 0,
    evaluationPeriods: 3,
    datapointsToAlarm: 3,
    treatMissingData: "missing",
  } as const;
  const none = undefined;
  expect(nextState(rule, [none, none, none, none, 1], "INSUFFICIENT_DATA")).toBe("INSUFFICIENT_DATA");
  expect(nextState(rule, [none, none, none, 1, none], "INSUFFICIENT_DATA")).toBe("INSUFFICIENT_DATA");
});
