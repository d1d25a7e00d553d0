import type { z } from "zod";
import { type Defined, defined } from "../json/defined.ts";
import type { JsonObject } from "../json/json-value.ts";
import { valueAt } from "../json/key-path.ts";
import { configs } from "./configs.ts";
import type { KeysSetting } from "./keys-setting.ts";
import { metadata } from "./metadata.ts";
import { name } from "./name.ts";
import { paused } from "./paused.ts";
import { type ReleaseSelector, type ResolvedRelease, release } from "./release.ts";
import { schedule } from "./schedule.ts";
import type { ExportContext, LeftOut, Setting } from "./setting.ts";

/** The settings of a tenant that can be declared. A setting that is not declared is not managed. */
export interface TenantSettings {
  /**
   * Name of the tenant: at most 63 lowercase letters, digits and `-`, with `-` neither first nor last (specification,
   * CreateTenant). The name of an existing tenant may be longer.
   * A change renames the tenant in place. This package expects names to be unique among the live tenants of an integration.
   */
  name: string;
  /** Cron schedule of five fields in UTC; `"none"` clears the tenant's schedule (specification, Tenant: `user_schedule`). */
  schedule?: string | undefined;
  /** Release to run: `{ id }`, `{ tag }` or `{ channel: "Latest" | "Default" }`. A new release on the channel is no drift. */
  release?: ReleaseSelector | undefined;
  /** Whether the tenant is paused. A new tenant is paused; `false` resumes it after all other settings are applied. */
  paused?: boolean | undefined;
  /**
   * Config keys, validated against the config schema of the release. The whole value of each declared key is managed;
   * undeclared keys are not changed. A key that is no longer declared is removed. Secrets may be at any depth.
   */
  configs?: JsonObject | undefined;
  /** Metadata keys, validated against the metadata schema of the release and managed like `configs`. */
  metadata?: JsonObject | undefined;
}

/** Settings of a tenant, all optional. */
export type SomeSettings = { [Name in keyof TenantSettings]?: TenantSettings[Name] | undefined };

/** The settings of a tenant. This is the only list of settings: all other code iterates over it. */
export const tenantSettings = { name, schedule, release, paused, configs, metadata } satisfies {
  [Name in keyof TenantSettings]-?: Setting<NonNullable<TenantSettings[Name]>, unknown, unknown>;
};

type Table = typeof tenantSettings;
export type SettingName = keyof TenantSettings;

/** The settings that are free-form objects. */
export type KeysName = { [Name in SettingName]: Table[Name]["kind"] extends "keys" ? Name : never }[SettingName];

/** The declared values in the form that the API accepts. Each setting whose form differs is overridden here. */
export interface ResolvedSettings extends Omit<SomeSettings, "release"> {
  release?: ResolvedRelease | undefined;
}

/** The value of a setting. */
export type SettingValue = NonNullable<TenantSettings[SettingName]>;

/** Any setting. Look a value up under the setting's own name, so that its type matches. */
export type AnySetting = Setting<SettingValue, unknown, SettingValue>;

/** The names and settings, in the order in which they are stored. */
export const settingEntries = entriesOf(tenantSettings);
export const settingNames = settingEntries.map(([name]) => name);

/** The names and settings that are free-form objects. */
export const keysEntries = keysEntriesOf(settingEntries);

/** Whether a setting is a free-form object. */
export function isKeysName(name: string | undefined): name is KeysName {
  return keysEntries.some(([other]) => other === name);
}

function entriesOf(table: Table): (readonly [SettingName, AnySetting])[];
function entriesOf(table: object): (readonly [string, unknown])[] {
  return Object.entries(table);
}

function keysEntriesOf(entries: typeof settingEntries): (readonly [KeysName, KeysSetting])[];
function keysEntriesOf(entries: readonly (readonly [string, { kind: string }])[]): object[] {
  return entries.filter(([, { kind }]) => kind === "keys");
}

/** Picks the settings from an object that may have other properties, in the order of the table and without absent ones. */
export function settingsOf(properties: SomeSettings & { name: string }): Defined<TenantSettings>;
export function settingsOf(properties: SomeSettings): SomeSettings;
export function settingsOf(properties: object): object {
  return defined(Object.fromEntries(settingNames.map((name) => [name, valueAt(properties, [name])])));
}

/** Builds settings from entries, without those that have no value. */
export function settingsFrom(entries: readonly (readonly [SettingName, SettingValue | undefined])[]): SomeSettings;
export function settingsFrom(entries: readonly (readonly [string, unknown])[]): object {
  return defined(Object.fromEntries(entries));
}

/** The settings that a stack declares to take a tenant over, what was left out of them, and notes by setting. */
export async function exportSettings(
  context: ExportContext,
): Promise<{ settings: SomeSettings; leftOut: LeftOut[]; notes: Partial<Record<SettingName, string>> }> {
  const exported = await Promise.all(
    settingEntries.map(async ([name, setting]) => ({ name, ...(await setting.export(context)) })),
  );
  return {
    settings: settingsFrom(exported.map(({ name, value }) => [name, value])),
    leftOut: exported.flatMap(({ leftOut }) => leftOut),
    notes: Object.fromEntries(exported.flatMap(({ name, note }) => (note === undefined ? [] : [[name, note]]))),
  };
}

/** The shape of declared settings. */
export const settingsShape = shapeOf(tenantSettings, (setting) => setting.schema);
/** The shape of observed settings. It allows values that inputs cannot have, as someone may set them in the console. */
export const storedSettingsShape = shapeOf(tenantSettings, (setting) => setting.storedSchema ?? setting.schema);

type Shape = { name: Table["name"]["schema"] } & {
  [Name in Exclude<SettingName, "name">]: z.ZodOptional<Table[Name]["schema"]>;
};
function shapeOf(table: Table, schemaOf: (setting: AnySetting) => z.ZodType): Shape;
function shapeOf(_: object, schemaOf: (setting: AnySetting) => z.ZodType): object {
  const schemas = settingEntries.map(([name, setting]) => {
    const schema = schemaOf(setting);
    return [name, name === "name" ? schema : schema.optional()] as const;
  });
  return Object.fromEntries(schemas);
}
