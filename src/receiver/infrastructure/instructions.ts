import type * as pulumi from "@pulumi/pulumi";

/** What to enter where (specification, Events: Configuration). A secret, as the URL is. */
export function instructionsFor(url: pulumi.Output<string>): pulumi.Output<string> {
  return url.apply((address) =>
    [
      "In the management console, administrator settings, tab Notifications & Webhooks:",
      `1. Enter as the webhook URL: ${address}`,
      "2. Switch on Send Webhook for each of the five events: Integration Created, Tenant Created, Tenant Archived,",
      "   Partner Integration Updated, Run Failed.",
      "The URL contains the receiver's token: whoever has it can send events.",
    ].join("\n"),
  );
}
