import { randomBytes } from "node:crypto";
import { defaultSettings, type Settings } from "../entities/settings.ts";
import type { Statements } from "./statements.ts";

export interface SettingsStore {
  read(): Settings;
  write(settings: Settings): void;
  /** The key that signs links to logs. It is created at its first use and survives resets. */
  signingKey(): string;
  /** The time of a manual clock in milliseconds since the epoch, or "real" for the machine's clock. It survives resets. */
  readClock(): number | "real" | undefined;
  writeClock(time: number | "real"): void;
}

export function settingsStore(statements: Statements): SettingsStore {
  const find = (name: string) => statements.value("SELECT document FROM settings WHERE name = ?", name);
  const set = (name: string, document: string) =>
    statements.run("INSERT OR REPLACE INTO settings (name, document) VALUES (?, ?)", name, document);
  return {
    read: () => {
      const document = find("settings");
      return document === undefined ? defaultSettings : JSON.parse(String(document));
    },
    write: (settings) => set("settings", JSON.stringify(settings)),
    signingKey: () => {
      const known = find("signing-key");
      if (known !== undefined) return String(known);
      const key = randomBytes(32).toString("hex");
      set("signing-key", key);
      return key;
    },
    readClock: () => {
      const document = find("clock");
      return document === undefined || document === "real" ? document : Number(document);
    },
    writeClock: (time) => set("clock", String(time)),
  };
}
