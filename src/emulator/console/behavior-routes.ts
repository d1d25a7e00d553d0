import { z } from "zod";
import { faultKindSchema } from "../faults/fault.ts";
import type { App } from "../http/environment.ts";
import { queryOf } from "../http/parameters.ts";
import { roundedNumbers } from "../rules/json.ts";
import { parseRequest } from "../rules/parse-request.ts";
import { asInvalidRequest } from "../rules/problems.ts";
import { changeVariants, defaultVariants, variantDescriptions } from "../variants.ts";
import { faultForms, faultPage, variantForms, variantPage } from "./behavior-pages.ts";
import type { Site } from "./site.ts";
import { jsonField, optionalText, submit, viewOf } from "./submission.ts";

/** The pages of variants and faults, and their forms. */
export function behaviorRoutes(app: App, site: Site): void {
  variantRoutes(app, site);
  faultRoutes(app, site);
}

function variantRoutes(app: App, site: Site): void {
  const { platform } = site;
  const goTo = "/console/variants";
  app.get("/variants", (context) => context.html(variantPage(viewOf(site, context))));
  app.post("/variants", (context) =>
    submit(
      site,
      context,
      variantForms.set,
      (fields) => {
        const names = variantDescriptions.map(([name]) => name);
        const change = Object.fromEntries(names.map((name) => [name, optionalText(fields, name)]));
        const given = { lagSeconds: Number(optionalText(fields, "lagSeconds") ?? platform.lagSeconds) };
        const { lagSeconds } = parseRequest(lagSchema, given, "body");
        platform.variants = asInvalidRequest(() => changeVariants(platform.variants, change));
        platform.lagSeconds = lagSeconds;
        return { goTo, notice: { text: "The variants were set." } };
      },
      variantPage,
    ),
  );
  app.post("/variants/reset", (context) => {
    const reset = () => {
      platform.variants = defaultVariants;
      return { goTo, notice: { text: "All variants have their defaults." } };
    };
    return submit(site, context, variantForms.reset, reset, variantPage);
  });
}

function faultRoutes(app: App, site: Site): void {
  const { faults } = site;
  const goTo = "/console/faults";
  app.get("/faults", (context) => {
    const kind = faultKindSchema.safeParse(queryOf(context.req.url).kind).data;
    return context.html(faultPage(viewOf(site, context), kind));
  });
  app.post("/faults", (context) =>
    submit(
      site,
      context,
      faultForms.add,
      (fields) => {
        const spec = roundedNumbers(jsonField(fields, "fault"));
        asInvalidRequest(() => faults.add(spec));
        return { goTo, notice: { text: `The fault ${String(spec.kind)} was added.` } };
      },
      faultPage,
    ),
  );
  app.post("/faults/clear", (context) => {
    const clear = () => {
      faults.clear();
      return { goTo, notice: { text: "All faults were removed." } };
    };
    return submit(site, context, faultForms.clear, clear, faultPage);
  });
}

const lagSchema = z.object({ lagSeconds: z.number().min(0) });
