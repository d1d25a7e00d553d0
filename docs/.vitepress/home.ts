import { repositoryUrl } from "./repository-url.ts";

/** What the theme shows at the top of the home page. It is not in index.md, because GitHub would show it as a table. */
export const home = {
  layout: "home",
  hero: {
    name: "pulumi-integration-platform",
    text: "Tenants of an integration platform, declared in code",
    tagline:
      "Pulumi resources for the tenants of an embedded integration platform. See each change before it is made, and find what somebody changed by hand.",
    actions: [
      { theme: "brand", text: "Your first stack", link: "/guides/first-stack" },
      { theme: "alt", text: "Reference", link: "/reference/" },
      { theme: "alt", text: "GitHub", link: repositoryUrl },
    ],
  },
  features: [
    {
      title: "Drift for one list request",
      details:
        "All resources of a command share one list of the platform's tenants, which takes one request for each 500 tenants. Only declared metadata takes a request per tenant.",
      link: "/guides/drift",
    },
    {
      title: "Lost responses without duplicates",
      details:
        "If the response to a create is lost, the provider looks for the tenant before it tries again. The next up after a killed one finds what that one created.",
      link: "/decisions/lost-answers",
    },
    {
      title: "Archiving is guarded",
      details:
        "The API cannot restore an archived tenant. A tenant that is connected is archived only if an earlier up allowed it. Limits stop an up that would archive too many tenants.",
      link: "/concepts",
    },
    {
      title: "Rollouts in waves",
      details:
        "A release reaches the tenants of a fleet wave by wave. Real syncs prove each wave. If tenants fail, the rollout stops by itself.",
      link: "/guides/rollouts",
    },
    {
      title: "Previews know the release's schema",
      details:
        "Configs and metadata are checked against the schema of the tenant's release before anything changes. A mistake in a stack's YAML is reported with its line and column.",
      link: "/guides/first-stack",
    },
    {
      title: "A receiver for webhooks",
      details:
        "The platform sends each webhook once. The receiver on AWS stores it in a queue at once, delivers it to a ledger and an event bus, and finds the webhooks that never arrived.",
      link: "/guides/receiver",
    },
  ],
};
