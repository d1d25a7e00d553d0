import { z } from "zod";
import { notFound, resourceType } from "../resource-type.ts";
import { account, apiGateway, region } from "./account.ts";

const endpointSchema = z.object({ types: z.string() });

export const restApi = resourceType({
  inputs: z.object({
    name: z.string(),
    description: z.string(),
    endpointConfiguration: endpointSchema,
    binaryMediaTypes: z.array(z.string()),
    disableExecuteApiEndpoint: z.boolean(),
  }),
  autonamed: "name",
  replacedBy: ["name", "description", "endpointConfiguration", "binaryMediaTypes"],
  create: async ({ endpointConfiguration, binaryMediaTypes, ...args }) => {
    const { id, rootResourceId } = z.object({ id: z.string(), rootResourceId: z.string() }).parse(
      await apiGateway("POST", "/restapis", {
        ...args,
        endpointConfiguration: { types: [endpointConfiguration.types] },
      }),
    );
    // moto ignores the types at the creation.
    const add = binaryMediaTypes.map((value) => ({ op: "add", path: "/binaryMediaTypes", value }));
    await apiGateway("PATCH", `/restapis/${id}`, { patchOperations: add });
    return { id, outputs: { rootResourceId, executionArn: `arn:aws:execute-api:${region}:${account}:${id}` } };
  },
  read: (id) => apiGateway("GET", `/restapis/${id}`),
  update: (id, { disableExecuteApiEndpoint }) => {
    // moto takes every value but the empty one for true.
    const value = disableExecuteApiEndpoint ? "true" : "";
    const operation = { op: "replace", path: "/disableExecuteApiEndpoint", value };
    return apiGateway("PATCH", `/restapis/${id}`, { patchOperations: [operation] });
  },
  delete: (id) => apiGateway("DELETE", `/restapis/${id}`),
});

export const resource = resourceType({
  inputs: z.object({ restApi: z.string(), parentId: z.string(), pathPart: z.string() }),
  replacedBy: ["restApi", "parentId", "pathPart"],
  create: async ({ restApi: api, parentId, pathPart }) =>
    z
      .object({ id: z.string() })
      .parse(await apiGateway("POST", `/restapis/${api}/resources/${parentId}`, { pathPart })),
  read: (id, { restApi: api }) => apiGateway("GET", `/restapis/${api}/resources/${id}`),
  delete: (id, { restApi: api }) => apiGateway("DELETE", `/restapis/${api}/resources/${id}`),
});

const methodSchema = z.object({ restApi: z.string(), resourceId: z.string(), httpMethod: z.string() });
const pathOf = ({ restApi, resourceId, httpMethod }: z.infer<typeof methodSchema>) =>
  `/restapis/${restApi}/resources/${resourceId}/methods/${httpMethod}`;

export const method = resourceType({
  inputs: methodSchema.extend({ authorization: z.string() }),
  replacedBy: ["restApi", "resourceId", "httpMethod", "authorization"],
  create: async ({ authorization: authorizationType, ...args }) => {
    await apiGateway("PUT", pathOf(args), { authorizationType, apiKeyRequired: false });
    return { id: `agm-${args.restApi}-${args.resourceId}-${args.httpMethod}` };
  },
  read: (_, args) => apiGateway("GET", pathOf(args)),
  delete: (_, args) => apiGateway("DELETE", pathOf(args)),
});

export const integration = resourceType({
  inputs: methodSchema.extend({ type: z.string(), integrationHttpMethod: z.string(), uri: z.string() }),
  replacedBy: ["restApi", "resourceId", "httpMethod", "type", "integrationHttpMethod", "uri"],
  create: async ({ type, integrationHttpMethod: httpMethod, uri, ...args }) => {
    await apiGateway("PUT", `${pathOf(args)}/integration`, { type, httpMethod, uri });
    return { id: `agi-${args.restApi}-${args.resourceId}-${args.httpMethod}` };
  },
  read: (_, args) => apiGateway("GET", `${pathOf(args)}/integration`),
  delete: (_, args) => apiGateway("DELETE", `${pathOf(args)}/integration`),
});

export const deployment = resourceType({
  inputs: z.object({ restApi: z.string(), triggers: z.record(z.string(), z.string()) }),
  replacedBy: ["restApi", "triggers"],
  isCreatedBeforeDeletion: true, // a stage must not lose its deployment
  create: async ({ restApi: api }) =>
    z.object({ id: z.string() }).parse(await apiGateway("POST", `/restapis/${api}/deployments`, {})),
  read: (id, { restApi: api }) => apiGateway("GET", `/restapis/${api}/deployments/${id}`),
  delete: (id, { restApi: api }) => apiGateway("DELETE", `/restapis/${api}/deployments/${id}`),
});

const stagePath = (api: string, name: string) => `/restapis/${api}/stages/${name}`;

export const stage = resourceType({
  inputs: z.object({ restApi: z.string(), deployment: z.string(), stageName: z.string() }),
  replacedBy: ["restApi", "stageName"],
  create: async ({ restApi: api, deployment: deploymentId, stageName }) => {
    await apiGateway("POST", `/restapis/${api}/stages`, { stageName, deploymentId });
    const arn = `arn:aws:apigateway:${region}::${stagePath(api, stageName)}`;
    const invokeUrl = `https://${api}.execute-api.${region}.amazonaws.com/${stageName}`;
    return { id: `ags-${api}-${stageName}`, outputs: { arn, invokeUrl } };
  },
  read: (_, { restApi: api, stageName }) => apiGateway("GET", stagePath(api, stageName)),
  update: (_, { restApi: api, deployment: value, stageName }) =>
    patchStage(api, stageName, [{ path: "/deploymentId", value }]),
  delete: (_, { restApi: api, stageName }) => apiGateway("DELETE", stagePath(api, stageName)),
});

function patchStage(api: string, name: string, values: readonly { path: string; value: string }[]) {
  const patchOperations = values.map((operation) => ({ op: "replace", ...operation }));
  return apiGateway("PATCH", stagePath(api, name), { patchOperations });
}

const settingsInputs = z.object({
  restApi: z.string(),
  stageName: z.string(),
  methodPath: z.string(),
  settings: z.object({
    throttlingRateLimit: z.number(),
    throttlingBurstLimit: z.number(),
    loggingLevel: z.string(),
    dataTraceEnabled: z.boolean(),
  }),
});

export const methodSettings = resourceType({
  inputs: settingsInputs,
  replacedBy: ["restApi", "stageName", "methodPath"],
  create: async (args) => {
    await putSettings(args);
    return { id: `${args.restApi}-${args.stageName}-${args.methodPath}` };
  },
  read: async (id, { restApi: api, stageName, methodPath }) => {
    const found = z
      .object({ methodSettings: z.record(z.string(), z.unknown()) })
      .parse(await apiGateway("GET", stagePath(api, stageName)));
    if (!(methodPath in found.methodSettings)) throw notFound(`the method settings ${id}`);
  },
  update: (_, args) => putSettings(args),
  delete: async () => {}, // moto deletes them with the stage
});

function putSettings({ restApi: api, stageName, methodPath, settings }: z.infer<typeof settingsInputs>) {
  const values = {
    "throttling/rateLimit": settings.throttlingRateLimit,
    "throttling/burstLimit": settings.throttlingBurstLimit,
    "logging/loglevel": settings.loggingLevel,
    "logging/dataTrace": settings.dataTraceEnabled,
  };
  const operations = Object.entries(values).map(([name, value]) => ({
    path: `/${methodPath}/${name}`,
    value: String(value),
  }));
  return patchStage(api, stageName, operations);
}

export const domainName = resourceType({
  inputs: z.object({
    domainName: z.string(),
    regionalCertificateArn: z.string(),
    endpointConfiguration: endpointSchema,
    securityPolicy: z.string(),
  }),
  replacedBy: ["domainName", "regionalCertificateArn", "endpointConfiguration", "securityPolicy"],
  create: async ({ endpointConfiguration, ...args }) => {
    const { regionalDomainName, regionalHostedZoneId: regionalZoneId } = z
      .object({ regionalDomainName: z.string(), regionalHostedZoneId: z.string() })
      .parse(
        await apiGateway("POST", "/domainnames", {
          ...args,
          endpointConfiguration: { types: [endpointConfiguration.types] },
        }),
      );
    return { id: args.domainName, outputs: { regionalDomainName, regionalZoneId } };
  },
  read: (id) => apiGateway("GET", `/domainnames/${id}`),
  delete: (id) => apiGateway("DELETE", `/domainnames/${id}`),
});

const emptyBasePath = "(none)"; // how API Gateway names it

export const basePathMapping = resourceType({
  inputs: z.object({ domainName: z.string(), restApi: z.string(), stageName: z.string() }),
  replacedBy: ["domainName", "restApi", "stageName"],
  create: async ({ domainName: domain, restApi: restApiId, stageName: stageOfApi }) => {
    await apiGateway("POST", `/domainnames/${domain}/basepathmappings`, { restApiId, stage: stageOfApi });
    return { id: `${domain}/` };
  },
  read: (_, { domainName: domain }) => apiGateway("GET", `/domainnames/${domain}/basepathmappings/${emptyBasePath}`),
  delete: (_, { domainName: domain }) =>
    apiGateway("DELETE", `/domainnames/${domain}/basepathmappings/${emptyBasePath}`),
});
