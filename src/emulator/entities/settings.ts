import { z } from "zod";
import { minLength } from "../../inputs/string-schema.ts";
import { type EventKey, eventKeys, forEachEvent } from "./event.ts";

const accountSchema = z.strictObject({
  id: z.int(),
  name: z.string().check(minLength(1)),
  environment: z.string().check(minLength(1)),
});

const webhookUrlSchema = z.string().refine(isHttpUrl, "must be a valid HTTP or HTTPS URL");

/** E-mail addresses: a list, or a string with commas, as the console has it. */
const subscribersSchema = z.preprocess(
  (value) => (typeof value === "string" ? value.split(",").map((part) => part.trim()) : value),
  z
    .array(z.string())
    .transform((addresses) => addresses.filter((address) => address !== ""))
    .pipe(z.array(z.email())),
);

/** The settings of one event: specification, "Events", "Configuration". */
const notificationSchema = z.strictObject({ send_webhook: z.boolean(), subscribers: z.array(z.string()) });

/** The account, and its notifications (specification, "Events", "Configuration"). */
export interface Settings {
  readonly account: z.infer<typeof accountSchema>;
  /** The e-mail address that gets an e-mail for every event. */
  readonly primary_contact: string | null;
  /** The URL that gets the webhooks of all events. */
  readonly webhook_url: string | null;
  readonly notifications: Readonly<Record<EventKey, z.infer<typeof notificationSchema>>>;
}

/** A change of the settings. Absent fields stay unchanged. */
export const settingsChangeSchema = z.strictObject({
  account: accountSchema.partial().optional(),
  primary_contact: z.email().nullable().optional(),
  webhook_url: webhookUrlSchema.nullable().optional(),
  notifications: z
    .partialRecord(
      z.enum(eventKeys),
      z.strictObject({ send_webhook: z.boolean().optional(), subscribers: subscribersSchema.optional() }),
    )
    .optional(),
});
export type SettingsChange = z.infer<typeof settingsChangeSchema>;

/** The settings of a new account. */
export const defaultSettings: Settings = {
  account: { id: 1, name: "Sandbox account", environment: "sandbox" },
  primary_contact: null,
  webhook_url: null,
  notifications: forEachEvent(() => ({ send_webhook: false, subscribers: [] })),
};

function isHttpUrl(value: string): boolean {
  return /^https?:$/.test(URL.parse(value)?.protocol ?? "");
}

/** An API key. Only the digest of the key itself is stored. */
export interface ApiKeyRecord {
  readonly id: number;
  readonly name: string;
  /** The SHA-256 of the key, as hexadecimal digits. */
  readonly digest: string;
  readonly created_date: string;
  /** null while the key is valid. */
  readonly revoked_date: string | null;
}
