import type { SdkLanguage } from "../../engine/sdk-generators.ts";

/** What the READMEs take from the provider's schema. */
export interface Described {
  readonly version: string;
  readonly description: string;
  readonly language: { readonly go: { modulePath: string }; readonly java: { basePackage: string } };
  /** The description of the resource `Tenant`, whose example is the first program. */
  readonly tenant: string;
}

const languages: Readonly<Record<SdkLanguage, { title: string; codeBlock: string; install: string }>> = {
  nodejs: {
    title: "Node.js",
    codeBlock: "typescript",
    install: "npm install pulumi-integration-platform-sdk @pulumi/pulumi",
  },
  python: { title: "Python", codeBlock: "python", install: "pip install pulumi-integration-platform" },
  go: { title: "Go", codeBlock: "go", install: "go get MODULE/integrationplatform" },
  dotnet: { title: ".NET", codeBlock: "csharp", install: "dotnet add package PulumiSdk.IntegrationPlatform" },
  java: {
    title: "Java",
    codeBlock: "java",
    install: "// Gradle\nimplementation 'PACKAGE:integration-platform:VERSION'",
  },
};

/** The README of an SDK: how to install it, and a first program. */
export function readmeOf(
  sdk: SdkLanguage,
  { version, description, language: { go, java }, tenant }: Described,
): string {
  const { title, codeBlock, install } = languages[sdk];
  const [, program] = new RegExp(`\`\`\`${codeBlock}\n([\\s\\S]*?)\`\`\``).exec(tenant) ?? [];
  if (program === undefined) throw new Error(`Tenant has no example in ${codeBlock}.`);
  return `# Integration Platform for Pulumi, ${title}

${description}

## Install

\`\`\`sh
${install.replace("VERSION", version).replace("MODULE", go.modulePath).replace("PACKAGE", java.basePackage)}
pulumi plugin install resource integration-platform ${version} --file <archive of the plugin>
\`\`\`

The plugin needs Node.js 22.19 or later on PATH. It reads the platform's address and API key from
\`INTEGRATION_PLATFORM_BASE_URL\` and \`INTEGRATION_PLATFORM_API_KEY\`, or from the stack's config:

\`\`\`sh
pulumi config set integration-platform:baseUrl https://platform.example.com
pulumi config set --secret integration-platform:apiKey
\`\`\`

## A first program

\`\`\`${codeBlock}
${program}\`\`\`

All code of this SDK is generated from the schema of the plugin, version ${version}, by Pulumi's own generators.
`;
}
