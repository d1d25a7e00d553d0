import { z } from "zod";
import { minLength } from "../../text-schema.ts";
import { eventKeys } from "./event.ts";

const accountSchema = z.strictObject({
  id: z.int(),
  name: z.string().check(minLength(1)),
  environment: z.string().check(minLength(1)),
});

const webhookUrlSchema = z.string().refine(isHttpUrl, "must be a valid HTTP or HTTPS URL");

/** E-mail addresses: a list, or as the console takes them, separated by commas. */
const subscribersSchema = z.preprocess(
  (value) => (typeof value === "string" ? value.split(",").map((part) => part.trim()) : value),
  z
    .array(z.string())
    .transform((addresses) => addresses.filter((address) => address !== ""))
    .pipe(z.array(z.email())),
);

/** Specification, "Configuration": the toggle `Send Webhook` and the subscribers of one event. */
const notificationSchema = z.strictObject({ send_webhook: z.boolean(), subscribers: z.array(z.string()) });

/** An administrator's settings (specification, "Events", "Configuration"), and whose account it is. */
export interface Settings {
  readonly account: z.infer<typeof accountSchema>;
  /** Gets every event by e-mail. */
  readonly primary_contact: string | null;
  /** One for all events. */
  readonly webhook_url: string | null;
  readonly notifications: Readonly<Record<(typeof eventKeys)[number], z.infer<typeof notificationSchema>>>;
}

/** A change of the settings: what is not named stays. */
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

const silent = { send_webhook: false, subscribers: [] };

/** What holds until something is set. */
export const defaultSettings: Settings = {
  account: { id: 1, name: "Sandbox account", environment: "sandbox" },
  primary_contact: null,
  webhook_url: null,
  notifications: {
    integration_created: silent,
    tenant_created: silent,
    tenant_archived: silent,
    partner_integration_updated: silent,
    run_failed: silent,
  },
};

function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}
