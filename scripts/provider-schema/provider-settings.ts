import type { Documentation } from "./documentation.ts";
import type { PropertySpec, PropertySpecs } from "./package-spec.ts";

/** The environment variables of the settings that have one. */
const variables: Readonly<Record<string, string>> = {
  baseUrl: "INTEGRATION_PLATFORM_BASE_URL",
  apiKey: "INTEGRATION_PLATFORM_API_KEY",
};

/**
 * The settings of the provider, as keys of a stack's config or as inputs of an explicit provider.
 *
 * The environment variables are in the descriptions only. In `defaultInfo` they would make the SDKs write the API key of the
 * environment into the state, where a rotated key is outdated.
 *
 * @param precedence what is used if both the setting and the environment variable are there.
 */
export function settingSpecs(documentation: Documentation, precedence: (variable: string) => string): PropertySpecs {
  const settings = ["ConnectionSettings", "ConnectorWords", "RunWords", "PlatformSettings", "ResolverModules"].flatMap(
    (name) => [...documentation.typeOf(name).properties],
  );
  return Object.fromEntries(
    settings.map(([key, { description, typeText }]): [string, PropertySpec] => {
      if (description === "") throw new Error(`The setting ${key} has no docstring.`);
      const variable = variables[key];
      return [
        key,
        {
          ...typeSpec(typeText),
          description: variable === undefined ? description : `${description} ${precedence(variable)}`,
          ...(key === "apiKey" && { secret: true }),
        },
      ];
    }),
  );
}

function typeSpec(typeText: string): Pick<PropertySpec, "type" | "items" | "additionalProperties"> {
  if (typeText.includes("string[]")) return { type: "array", items: { type: "string" } };
  if (typeText.includes("Record<string, string>")) return { type: "object", additionalProperties: { type: "string" } };
  return { type: "string" };
}
