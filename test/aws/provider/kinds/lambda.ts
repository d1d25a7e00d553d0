import { readFile } from "node:fs/promises";
import {
  AddPermissionCommand,
  Architecture,
  CreateEventSourceMappingCommand,
  CreateFunctionCommand,
  CreateFunctionUrlConfigCommand,
  DeleteEventSourceMappingCommand,
  DeleteFunctionCommand,
  DeleteFunctionUrlConfigCommand,
  FunctionResponseType,
  FunctionUrlAuthType,
  GetEventSourceMappingCommand,
  GetFunctionCommand,
  GetFunctionUrlConfigCommand,
  GetPolicyCommand,
  InvokeMode,
  LambdaClient,
  LogFormat,
  PutFunctionConcurrencyCommand,
  RemovePermissionCommand,
  Runtime,
  UpdateEventSourceMappingCommand,
  UpdateFunctionCodeCommand,
  UpdateFunctionConfigurationCommand,
} from "@aws-sdk/client-lambda";
import { zipSync } from "fflate";
import { z } from "zod";
import { kind } from "../kind.ts";

const lambda = new LambdaClient();

const assetSchema = z.union([z.object({ path: z.string().min(1) }), z.object({ text: z.string() })]);

const functionInputs = z.object({
  name: z.string(),
  description: z.string().optional(),
  runtime: z.enum(Runtime),
  architectures: z.array(z.enum(Architecture)).optional(),
  handler: z.string(),
  /** Of a resource that is read or deleted, the engine says the hash of its code only. */
  code: z.object({ assets: z.record(z.string(), assetSchema).default({}) }),
  role: z.string(),
  timeout: z.int().optional(),
  memorySize: z.int().optional(),
  environment: z.object({ variables: z.record(z.string(), z.string()) }).optional(),
  loggingConfig: z.object({ logFormat: z.enum(LogFormat), logGroup: z.string() }).optional(),
  reservedConcurrentExecutions: z.int().optional(),
});

export const lambdaFunction = kind({
  inputs: functionInputs,
  autonamed: "name",
  replacedBy: ["name"],
  create: async (given) => {
    const { FunctionArn: arn } = await lambda.send(
      new CreateFunctionCommand({
        ...settings(given),
        Architectures: given.architectures,
        Code: { ZipFile: await codeOf(given) },
      }),
    );
    await reserve(given);
    return { id: given.name, outputs: { arn } };
  },
  look: (id) => lambda.send(new GetFunctionCommand({ FunctionName: id })),
  update: async (_, given) => {
    await lambda.send(new UpdateFunctionConfigurationCommand(settings(given)));
    await lambda.send(new UpdateFunctionCodeCommand({ FunctionName: given.name, ZipFile: await codeOf(given) }));
    await reserve(given);
  },
  delete: (id) => lambda.send(new DeleteFunctionCommand({ FunctionName: id })),
});

function settings(given: z.infer<typeof functionInputs>) {
  return {
    FunctionName: given.name,
    Description: given.description,
    Runtime: given.runtime,
    Handler: given.handler,
    Role: given.role,
    Timeout: given.timeout,
    MemorySize: given.memorySize,
    Environment: { Variables: given.environment?.variables },
    LoggingConfig: given.loggingConfig && {
      LogFormat: given.loggingConfig.logFormat,
      LogGroup: given.loggingConfig.logGroup,
    },
  };
}

async function codeOf({ code }: z.infer<typeof functionInputs>): Promise<Uint8Array> {
  const files = Object.entries(code.assets).map(
    async ([name, asset]) => [name, "path" in asset ? await readFile(asset.path) : Buffer.from(asset.text)] as const,
  );
  return zipSync(Object.fromEntries(await Promise.all(files)));
}

async function reserve({ name, reservedConcurrentExecutions: count }: z.infer<typeof functionInputs>): Promise<void> {
  if (count === undefined) return;
  await lambda.send(new PutFunctionConcurrencyCommand({ FunctionName: name, ReservedConcurrentExecutions: count }));
}

export const url = kind({
  inputs: z.object({
    functionName: z.string(),
    authorizationType: z.enum(FunctionUrlAuthType),
    invokeMode: z.enum(InvokeMode),
  }),
  replacedBy: ["functionName", "authorizationType", "invokeMode"],
  create: async ({ functionName, authorizationType, invokeMode }) => {
    const { FunctionUrl: functionUrl } = await lambda.send(
      new CreateFunctionUrlConfigCommand({
        FunctionName: functionName,
        AuthType: authorizationType,
        InvokeMode: invokeMode,
      }),
    );
    return { id: functionName, outputs: { functionUrl } };
  },
  look: (id) => lambda.send(new GetFunctionUrlConfigCommand({ FunctionName: id })),
  delete: (id) => lambda.send(new DeleteFunctionUrlConfigCommand({ FunctionName: id })),
});

const policySchema = z.object({ Statement: z.array(z.looseObject({ Sid: z.string() })) });

export const permission = kind({
  inputs: z.object({
    statementId: z.string(),
    function: z.string(),
    action: z.string(),
    principal: z.string(),
    sourceArn: z.string().optional(),
    functionUrlAuthType: z.enum(FunctionUrlAuthType).optional(),
    invokedViaFunctionUrl: z.boolean().optional(),
  }),
  autonamed: "statementId",
  replacedBy: ["function", "action", "principal", "sourceArn", "functionUrlAuthType", "invokedViaFunctionUrl"],
  create: async (given) => {
    await lambda.send(
      new AddPermissionCommand({
        StatementId: given.statementId,
        FunctionName: given.function,
        Action: given.action,
        Principal: given.principal,
        SourceArn: given.sourceArn,
        FunctionUrlAuthType: given.functionUrlAuthType,
        InvokedViaFunctionUrl: given.invokedViaFunctionUrl,
      }),
    );
    return { id: given.statementId };
  },
  look: async (id, given) => {
    const { Policy: text = "" } = await lambda.send(new GetPolicyCommand({ FunctionName: given.function }));
    const isThere = policySchema.parse(JSON.parse(text)).Statement.some(({ Sid }) => Sid === id);
    if (!isThere) throw Object.assign(new Error(`no permission ${id}`), { name: "ResourceNotFound" });
  },
  delete: (id, given) => lambda.send(new RemovePermissionCommand({ FunctionName: given.function, StatementId: id })),
});

const mappingInputs = z.object({
  eventSourceArn: z.string(),
  functionName: z.string(),
  batchSize: z.int(),
  functionResponseTypes: z.array(z.enum(FunctionResponseType)),
  scalingConfig: z.object({ maximumConcurrency: z.int() }),
});

export const eventSourceMapping = kind({
  inputs: mappingInputs,
  replacedBy: ["eventSourceArn", "functionName"],
  create: async (given) => {
    const { UUID: id = "" } = await lambda.send(
      new CreateEventSourceMappingCommand({ EventSourceArn: given.eventSourceArn, ...mappingSettings(given) }),
    );
    return { id };
  },
  look: (id) => lambda.send(new GetEventSourceMappingCommand({ UUID: id })),
  update: async (id, given) => {
    await lambda.send(new UpdateEventSourceMappingCommand({ UUID: id, ...mappingSettings(given) }));
  },
  delete: (id) => lambda.send(new DeleteEventSourceMappingCommand({ UUID: id })),
});

function mappingSettings(given: z.infer<typeof mappingInputs>) {
  return {
    FunctionName: given.functionName,
    BatchSize: given.batchSize,
    FunctionResponseTypes: given.functionResponseTypes,
    ScalingConfig: { MaximumConcurrency: given.scalingConfig.maximumConcurrency },
  };
}
