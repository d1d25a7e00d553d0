import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json/unknown.ts";
import type { TenantFleetState } from "../../../src/resources/tenant-fleet/schema.ts";
import { type Stage, stage } from "../stage.ts";
import { brought, idIn, operation } from "./fleet-stage.ts";

const fleet = { integration: "crm-to-billing", name: "billing" };

/** A fleet of so many tenants: `t-0`, `t-1` and so on. */
function many<Entry>(count: number, entry: (index: number) => Entry): Record<string, Entry> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`t-${index}`, entry(index)]));
}

/** The notes about what changes if the fleet's tenants are declared like this. */
async function notesOf(on: Stage, state: TenantFleetState, tenants: object, more: object = {}): Promise<string[]> {
  on.notes.length = 0;
  await operation(on).diff("101/billing", state, { ...fleet, ...more, tenants });
  return on.notes.filter((note) => !/: (creates|changes|archives|retains|syncs) /.test(note));
}

/** The state of a fleet whose tenants the platform does not have: a diff reads none of them. */
function stateOf(tenants: Record<string, object>, more: object = {}): TenantFleetState {
  const entries = Object.entries(tenants).map(([key, entry], index) => [key, { ...entry, tenantId: 5001 + index }]);
  return { ...fleet, ...more, integrationId: 101, tenants: Object.fromEntries(entries) };
}

describe("the note about what a fleet changes", () => {
  test("has one line for equal changes, those of most tenants first, and names a single tenant", async () => {
    await using on = await stage();
    const before = many(212, (index) => ({ configs: { batch_size: 200, region: "eu" }, paused: index === 3 }));
    const after = many(212, (index) => ({
      configs: { batch_size: 1000, region: index < 3 ? "us" : "eu" },
      paused: false,
    }));
    expect(await notesOf(on, stateOf(before), after)).toEqual([
      [
        'fleet "billing": these values change:',
        "212 tenants: configs.batch_size 200 -> 1000",
        '3 tenants: configs.region "eu" -> "us"',
        "t-3: paused true -> false",
      ].join("\n  "),
    ]);
  });

  test("is one line if there is one kind of change, and follows the counts", async () => {
    await using on = await stage();
    const state = stateOf(many(3, () => ({ configs: { batch_size: 200 } })));
    await operation(on).diff("101/billing", state, {
      ...fleet,
      tenants: many(3, (index) => ({ configs: { batch_size: index === 1 ? 200 : 1000 } })),
    });
    expect(on.notes).toEqual([
      'fleet "billing": changes 2 tenants; 1 unchanged',
      'fleet "billing": 2 tenants: configs.batch_size 200 -> 1000',
    ]);
  });

  test("does not come if no tenant changes", async () => {
    await using on = await stage();
    const same = many(2, () => ({ configs: { region: "eu" } }));
    expect(await notesOf(on, stateOf(same), same)).toEqual([]);
    expect(await notesOf(on, stateOf(same), { ...same, another: {} })).toEqual([]);
  });

  test("says what is added, what is removed, and what is no longer managed", async () => {
    await using on = await stage();
    const before = { acme: { schedule: "0 1 * * *", configs: { a: { b: 1, c: 2 }, old: [1] } } };
    const after = { acme: { paused: true, configs: { a: { b: 1, d: null } } } };
    const [note = ""] = await notesOf(on, stateOf(before), after);
    expect(note.split("\n  ").slice(1).sort()).toEqual([
      "acme: configs.a.c 2 -> (absent)",
      "acme: configs.a.d (absent) -> null",
      "acme: configs.old [1] -> (absent)",
      "acme: paused (absent) -> true",
      'acme: schedule "0 1 * * *" -> (not managed)',
    ]);
  });

  test("says what a preview does not know yet, and what of a list it does not", async () => {
    await using on = await stage();
    const before = many(4, (index) => ({ configs: { database: `db-${index}`, list: [index, "b"] } }));
    const after = many(4, (index) =>
      index < 3
        ? { configs: { database: unknownValue, list: [index, "b"] } }
        : { configs: { database: "db-3", list: [unknownValue, "b"] } },
    );
    const [note = ""] = await notesOf(on, stateOf(before), after);
    expect(note.split("\n  ").slice(1)).toEqual([
      "3 tenants: configs.database (known after up)",
      't-3: configs.list [3,"b"] -> ["(known after up)","b"]',
    ]);
    expect(await notesOf(on, stateOf(before), { ...before, "t-0": { configs: unknownValue } })).toEqual([
      'fleet "billing": t-0: configs (known after up)',
    ]);
    expect(await notesOf(on, stateOf(before), { ...before, "t-0": unknownValue })).toEqual([]);
  });

  test("is short: at most 20 lines, and short values in one line", async () => {
    await using on = await stage();
    const before = many(50, (index) => ({ configs: { value: index } }));
    const long = `two\nlines \u202e${"🙂".repeat(500)}`;
    const after = many(50, (index) => ({ configs: { value: index < 30 ? -index - 1 : long } }));
    const [note = ""] = await notesOf(on, stateOf(before), after);
    const lines = note.split("\n");
    expect(lines).toHaveLength(22);
    expect(lines.at(-1)).toBe("  and 30 more changes of 30 tenants");
    const [single = ""] = await notesOf(on, stateOf({ acme: { configs: { a: 1 } } }), {
      acme: { configs: { a: long } },
    });
    expect(single).toMatch(/^fleet "billing": acme: configs\.a 1 -> "two\\nlines \\u202e(🙂)+…$/u);
    expect([...single].length).toBeLessThan(120);
  });

  test("keeps tenants apart whose long values differ behind what is shown", async () => {
    await using on = await stage();
    const long = "x".repeat(300);
    const before = many(2, () => ({ configs: { value: 1 } }));
    const [note = ""] = await notesOf(
      on,
      stateOf(before),
      many(2, (index) => ({ configs: { value: long + index } })),
    );
    expect(note.match(/t-[01]: configs\.value 1 -> "x+…/g)).toHaveLength(2);
  });

  test("names a tenant by the key that is declared now", async () => {
    await using on = await stage();
    const before = { old: { configs: { region: "eu" } } };
    const now = { "new-1": { aliases: ["old"], name: "old", configs: { region: "us" } } };
    expect(await notesOf(on, stateOf(before), now)).toEqual(['fleet "billing": new-1: configs.region "eu" -> "us"']);
  });

  test("says after a refresh what up changes back: from the live to the declared value", async () => {
    await using on = await stage();
    const inputs = { ...fleet, tenants: many(3, () => ({ paused: true, configs: { region: "eu" } })) };
    const { id, state } = await brought(on, inputs);
    for (const key of ["t-0", "t-2"]) await on.changeByHand(idIn(state, key), { configs: { region: "us" } });
    const read = await operation(on).read(id, state);
    if (read === undefined) throw new Error("the fleet is gone");
    on.notes.length = 0;
    await operation(on).diff(id, read.state, inputs);
    expect(on.notes.at(-1)).toBe('fleet "billing": 2 tenants: configs.region "us" -> "eu"');
  });
});

describe("the note about what a fleet changes says of a reference to a secret", () => {
  const token = (version: number) => ({ ref: "env:ACME_TOKEN", version });

  test("which it is, as one value, and whether the platform has another value", async () => {
    await using on = await stage();
    const before = {
      ...many(2, () => ({ configs: { api_token: token(3) }, unreadablePaths: [["configs", "api_token"]] })),
      acme: { configs: { api_token: { ...token(4), differs: true } } },
      bluebird: { configs: { api_token: "hidden-plain", login: {} } },
    };
    const login = { login: { password: { ref: "env:A" } } };
    const after = {
      ...many(2, () => ({ configs: { api_token: token(4) } })),
      acme: { configs: { api_token: token(4) } },
      bluebird: { configs: { api_token: token(4), ...login } },
    };
    expect((await notesOf(on, stateOf(before), after))[0]?.split("\n  ").slice(1)).toEqual([
      "2 tenants: configs.api_token env:ACME_TOKEN (version 3) -> env:ACME_TOKEN (version 4)",
      "acme: configs.api_token (differs) -> env:ACME_TOKEN (version 4)",
      "bluebird: configs.api_token (secret) -> env:ACME_TOKEN (version 4)",
      "bluebird: configs.login.password (absent) -> env:A",
    ]);
  });

  test("nothing, if the program declares the reference as a secret", async () => {
    await using on = await stage();
    const secretPaths = [["configs", "api_token"]];
    const before = { acme: { configs: { api_token: token(3) }, secretPaths } };
    expect(await notesOf(on, stateOf(before), { acme: { configs: { api_token: token(4) }, secretPaths } })).toEqual([
      'fleet "billing": acme: configs.api_token (secret) -> (secret)',
    ]);
  });
});

test("the note about what a fleet changes counts the overridden tenants that run", async () => {
  await using on = await stage();
  const override = { paused: true, reason: "INC-42" };
  const state = stateOf(
    many(3, (index) => ({
      overridden: { paused: false },
      ...(index < 2 ? { override: { ...override, paused: false } } : {}),
    })),
    { override },
  );
  expect(
    await notesOf(
      on,
      state,
      many(3, () => ({})),
      { override },
    ),
  ).toContain('fleet "billing": 2 tenants: override.paused false -> true');
});

describe("the note about what a fleet changes shows no secret", () => {
  const shown = async (before: object, after: object, states: object = {}, declarations: object = {}) => {
    await using on = await stage();
    return (await notesOf(on, stateOf({ acme: before }, states), { acme: after }, declarations)).join("\n");
  };
  const [one, two] = ["hidden-1", "hidden-2"];

  test("that an entry declares or declared", async () => {
    const [before, after] = [{ configs: { login: { user: "ada", x: one } } }, { configs: { login: { x: two } } }];
    const secretPaths = [["configs", "login", "x"]];
    for (const [own, declared] of [
      [{ ...before, secretPaths }, after],
      [before, { ...after, secretPaths }],
    ] as const) {
      const text = await shown(own, declared);
      expect(text).toContain("acme: configs.login.x (secret) -> (secret)");
      expect(text).toContain('acme: configs.login.user "ada" -> (absent)');
      expect(text).not.toContain("hidden");
    }
  });

  test("in place of which, or in a list of which, the platform has another value", async () => {
    const secretPaths = [
      ["configs", "login", "x"],
      ["configs", "list", "0"],
    ];
    const text = await shown(
      { configs: { login: `ada:${one}`, list: [1, one] }, secretPaths },
      { configs: { login: { x: two }, list: [two, 1] }, secretPaths },
    );
    expect(text).toContain("configs.login (secret) -> (secret)");
    expect(text).toContain("configs.list (secret) -> (secret)");
    expect(text).not.toContain("hidden");
  });

  test("within a value that is added or removed as a whole", async () => {
    const secretPaths = [["configs", "login", "x"]];
    const text = await shown({ configs: {} }, { configs: { login: { user: "ada", x: one } }, secretPaths });
    expect(text).toBe('fleet "billing": acme: configs.login (absent) -> {"user":"ada","x":"(secret)"}');
  });

  test("that the fleet declares for one or all of its tenants, under its former key too", async () => {
    const [before, after] = [{ configs: { x: one } }, { configs: { x: two } }];
    for (const path of [["tenants"], ["tenants", "acme"], ["tenants", "acme", "configs"]]) {
      const secretPaths = [path];
      for (const [states, declarations] of [
        [{ secretPaths }, {}],
        [{}, { secretPaths }],
      ]) {
        expect(await shown(before, after, states, declarations)).toBe(
          'fleet "billing": acme: configs.x (secret) -> (secret)',
        );
      }
    }
    await using on = await stage();
    const state = stateOf({ old: before }, { secretPaths: [["tenants", "old", "configs", "x"]] });
    const now = { acme: { ...after, name: "old", aliases: ["old"] } };
    expect(await notesOf(on, state, now)).toEqual(['fleet "billing": acme: configs.x (secret) -> (secret)']);
  });

  test("that only its name, its form or the platform shows to be one", async () => {
    const before = {
      configs: { api_token: one, url: "eu", list: [1], other: one },
      unreadablePaths: [["configs", "other"]],
    };
    const url = `https://ada:${two}@example.com`;
    const after = { configs: { api_token: two, url, list: [{ password: two }], other: two } };
    const text = await shown(before, after);
    for (const field of ["api_token", "url", "other"]) expect(text).toContain(`configs.${field} (secret) -> (secret)`);
    expect(text).toContain('configs.list [1] -> [{"password":"(secret)"}]');
    expect(text).not.toContain("hidden");
  });
});
