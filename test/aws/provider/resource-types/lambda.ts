import { readFile } from "node:fs/promises";
import {
  AddPermissionCommand,
  Architecture,
  CreateEventSourceMappingCommand,
  CreateFunctionCommand,
  CreateFunctionUrlConfigCommand,
  DeleteEventSourceMappingCommand,
  DeleteFunctionCommand,
  DeleteFunctionEventInvokeConfigCommand,
  DeleteFunctionUrlConfigCommand,
  FunctionResponseType,
  FunctionUrlAuthType,
  GetEventSourceMappingCommand,
  GetFunctionCommand,
  GetFunctionEventInvokeConfigCommand,
  GetFunctionUrlConfigCommand,
  GetPolicyCommand,
  InvokeMode,
  LambdaClient,
  LogFormat,
  PutFunctionConcurrencyCommand,
  PutFunctionEventInvokeConfigCommand,
  RemovePermissionCommand,
  Runtime,
  UpdateEventSourceMappingCommand,
  UpdateFunctionCodeCommand,
  UpdateFunctionConfigurationCommand,
} from "@aws-sdk/client-lambda";
import { zipSync } from "fflate";
import { z } from "zod";
import { notFound, resourceType } from "../resource-type.ts";
import { region } from "./account.ts";

const lambda = new LambdaClient();

const assetSchema = z.union([z.object({ path: z.string().min(1) }), z.object({ text: z.string() })]);

const functionInputs = z.object({
  name: z.string(),
  description: z.string().optional(),
  runtime: z.enum(Runtime),
  architectures: z.array(z.enum(Architecture)).optional(),
  handler: z.string(),
  /** For reads and deletions the engine sends only a hash of the code, without assets. */
  code: z.object({ assets: z.record(z.string(), assetSchema).default({}) }),
  role: z.string(),
  timeout: z.int().optional(),
  memorySize: z.int().optional(),
  environment: z.object({ variables: z.record(z.string(), z.string()) }).optional(),
  loggingConfig: z.object({ logFormat: z.enum(LogFormat), logGroup: z.string() }).optional(),
  reservedConcurrentExecutions: z.int().optional(),
});

export const lambdaFunction = resourceType({
  inputs: functionInputs,
  autonamed: "name",
  replacedBy: ["name"],
  create: async (args) => {
    const { FunctionArn: arn } = await lambda.send(
      new CreateFunctionCommand({
        ...settings(args),
        Architectures: args.architectures,
        Code: { ZipFile: await codeOf(args) },
      }),
    );
    await reserve(args);
    const invokeArn = `arn:aws:apigateway:${region}:lambda:path/2015-03-31/functions/${arn}/invocations`;
    return { id: args.name, outputs: { arn, invokeArn } };
  },
  read: (id) => lambda.send(new GetFunctionCommand({ FunctionName: id })),
  update: async (_, args) => {
    await lambda.send(new UpdateFunctionConfigurationCommand(settings(args)));
    await lambda.send(new UpdateFunctionCodeCommand({ FunctionName: args.name, ZipFile: await codeOf(args) }));
    await reserve(args);
  },
  delete: (id) => lambda.send(new DeleteFunctionCommand({ FunctionName: id })),
});

function settings(args: z.infer<typeof functionInputs>) {
  return {
    FunctionName: args.name,
    Description: args.description,
    Runtime: args.runtime,
    Handler: args.handler,
    Role: args.role,
    Timeout: args.timeout,
    MemorySize: args.memorySize,
    Environment: { Variables: args.environment?.variables },
    LoggingConfig: args.loggingConfig && {
      LogFormat: args.loggingConfig.logFormat,
      LogGroup: args.loggingConfig.logGroup,
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

/** Like the real provider it also adds both permissions of a public URL, and never removes them. */
export const url = resourceType({
  inputs: z.object({
    functionName: z.string(),
    authorizationType: z.literal(FunctionUrlAuthType.NONE),
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
    await makePublic(functionName);
    return { id: functionName, outputs: { functionUrl } };
  },
  read: (id) => lambda.send(new GetFunctionUrlConfigCommand({ FunctionName: id })),
  delete: (id) => lambda.send(new DeleteFunctionUrlConfigCommand({ FunctionName: id })),
});

async function makePublic(FunctionName: string): Promise<void> {
  const anyone = { FunctionName, Principal: "*" };
  await lambda.send(
    new AddPermissionCommand({
      ...anyone,
      StatementId: "FunctionURLAllowPublicAccess",
      Action: "lambda:InvokeFunctionUrl",
      FunctionUrlAuthType: "NONE",
    }),
  );
  await lambda.send(
    new AddPermissionCommand({
      ...anyone,
      StatementId: "FunctionURLAllowInvokeAction",
      Action: "lambda:InvokeFunction",
      InvokedViaFunctionUrl: true,
    }),
  );
}

const policySchema = z.object({ Statement: z.array(z.looseObject({ Sid: z.string() })) });

export const permission = resourceType({
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
  create: async (args) => {
    await lambda.send(
      new AddPermissionCommand({
        StatementId: args.statementId,
        FunctionName: args.function,
        Action: args.action,
        Principal: args.principal,
        SourceArn: args.sourceArn,
        FunctionUrlAuthType: args.functionUrlAuthType,
        InvokedViaFunctionUrl: args.invokedViaFunctionUrl,
      }),
    );
    return { id: args.statementId };
  },
  read: async (id, args) => {
    const { Policy: text = "" } = await lambda.send(new GetPolicyCommand({ FunctionName: args.function }));
    const exists = policySchema.parse(JSON.parse(text)).Statement.some(({ Sid }) => Sid === id);
    if (!exists) throw notFound(`permission ${id}`);
  },
  delete: (id, args) => lambda.send(new RemovePermissionCommand({ FunctionName: args.function, StatementId: id })),
});

const mappingInputs = z.object({
  eventSourceArn: z.string(),
  functionName: z.string(),
  batchSize: z.int(),
  functionResponseTypes: z.array(z.enum(FunctionResponseType)),
  scalingConfig: z.object({ maximumConcurrency: z.int() }),
});

export const eventSourceMapping = resourceType({
  inputs: mappingInputs,
  replacedBy: ["eventSourceArn", "functionName"],
  create: async (args) => {
    const { UUID: id = "" } = await lambda.send(
      new CreateEventSourceMappingCommand({ EventSourceArn: args.eventSourceArn, ...mappingSettings(args) }),
    );
    return { id };
  },
  read: (id) => lambda.send(new GetEventSourceMappingCommand({ UUID: id })),
  update: async (id, args) => {
    await lambda.send(new UpdateEventSourceMappingCommand({ UUID: id, ...mappingSettings(args) }));
  },
  delete: (id) => lambda.send(new DeleteEventSourceMappingCommand({ UUID: id })),
});

function mappingSettings(args: z.infer<typeof mappingInputs>) {
  return {
    FunctionName: args.functionName,
    BatchSize: args.batchSize,
    FunctionResponseTypes: args.functionResponseTypes,
    ScalingConfig: { MaximumConcurrency: args.scalingConfig.maximumConcurrency },
  };
}

const invokeConfigInputs = z.object({
  functionName: z.string(),
  destinationConfig: z.object({ onFailure: z.object({ destination: z.string() }) }),
});

export const functionEventInvokeConfig = resourceType({
  inputs: invokeConfigInputs,
  replacedBy: ["functionName"],
  create: async (args) => {
    await putInvokeConfig(args);
    return { id: args.functionName };
  },
  read: (id) => lambda.send(new GetFunctionEventInvokeConfigCommand({ FunctionName: id })),
  update: async (id, args) => {
    // moto does not replace the settings that a function has already
    await lambda.send(new DeleteFunctionEventInvokeConfigCommand({ FunctionName: id }));
    await putInvokeConfig(args);
  },
  delete: (id) => lambda.send(new DeleteFunctionEventInvokeConfigCommand({ FunctionName: id })),
});

async function putInvokeConfig({ functionName, destinationConfig: { onFailure } }: z.infer<typeof invokeConfigInputs>) {
  await lambda.send(
    new PutFunctionEventInvokeConfigCommand({
      FunctionName: functionName,
      DestinationConfig: { OnFailure: { Destination: onFailure.destination } },
    }),
  );
}
