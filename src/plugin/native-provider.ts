import { isDeepStrictEqual } from "node:util";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { SecretRegistry } from "../api/index.ts";
import { isAtOrWithin, valueAt } from "../json/key-path.ts";
import { parseUrn } from "../operation/urn.ts";
import { type Connection, warnOfProfile } from "../provider/connection.ts";
import { describeResource, failureForEngine, messageOf } from "../provider/messages.ts";
import { inWords, parseInputs, parseState } from "../provider/parse.ts";
import { newPaths } from "../provider/secret-parts.ts";
import type { ResourceKind } from "../resources/kinds.ts";
import { latestInProduction } from "../resources/latest-in-production.ts";
import { IncompleteError, type Lifecycle } from "../resources/lifecycle.ts";
import { detailedDiff } from "./detailed-diff.ts";
import { previewedOutputs } from "./previewed-outputs.ts";
import {
  addedInputs,
  declaredInputs,
  type EngineProperties,
  emptiedPaths,
  inputsForEngine,
  inputsFromEngine,
  ownState,
  stateForEngine,
  stateFromEngine,
  withListedSecrets,
  withTenantIds,
} from "./properties.ts";
import { proposedName } from "./proposed-name.ts";
import { PartialFailure } from "./status.ts";
import {
  type CheckRequest,
  type CheckResponseSchema,
  type CreateRequest,
  type CreateResponseSchema,
  type DeleteRequest,
  type DiffRequest,
  DiffResponse_DiffChanges,
  type DiffResponseSchema,
  type ReadRequest,
  type ReadResponseSchema,
  type UpdateRequest,
  type UpdateResponseSchema,
} from "./wire/protocol_pb.ts";
import { readStruct, writeStruct } from "./wire/struct.ts";

/**
 * Adapts a lifecycle to the engine's provider protocol. Only this folder knows the protocol's messages, its marks of secrets
 * and of unknown values, and the form of a partial failure.
 *
 * @param connect returns the connection of the lifecycle. It is called at the engine's first call.
 * @param secrets gets the secrets in the properties, so that later messages of this process redact them.
 */
export function nativeProvider<Inputs extends object, State extends object>(
  { type, lifecycle: createLifecycle, inputsSchema, stateSchema, deletionSchema }: ResourceKind<Inputs, State>,
  connect: () => Connection,
  secrets: SecretRegistry,
) {
  let connected: (Connection & { lifecycle: Lifecycle<Inputs, State, Inputs | undefined> }) | undefined;
  const connection = () => {
    if (connected !== undefined) return connected;
    const opened = connect();
    connected = { ...opened, lifecycle: createLifecycle(opened.context) };
    return connected;
  };

  const read = (bytes: Uint8Array = new Uint8Array()): EngineProperties => {
    const properties = readStruct(bytes);
    secrets.add(properties.secretPaths.map((path) => valueAt(properties.value, path)));
    return properties;
  };
  const inputsOf = (urn: string, inputs: EngineProperties, id?: string) =>
    parseInputs(inputsSchema, inputsFromEngine(type, urn, inputs), describeResource(type, id, inputs.value));

  /** The lifecycle and the parsed state. Throws if the resource was created on another platform. */
  const lifecycleAndState = (id: string, stored: EngineProperties, inputs: EngineProperties, schema = stateSchema) => {
    const { lifecycle, address } = connection();
    const resource = describeResource(type, id, stored.value);
    address.require(resource, stored.value);
    const state = parseState(schema, stateFromEngine(type, stored, inputs), resource);
    return { lifecycle, state, isMoved: address.isMoved(stored.value) };
  };

  /** Runs work, and converts its errors. */
  const plainErrors = async <T>(
    { id, inputs, before = [] }: { id?: string; inputs: EngineProperties; before?: EngineProperties[] },
    work: () => Promise<T>,
  ): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const resource = describeResource(type, id, inputs.value);
      const message = messageOf(inWords(error, inputsSchema, resource), secrets);
      if (!(error instanceof IncompleteError)) throw new Error(message);
      const properties = write(stateForEngine(error.state, [inputs, ...before]));
      throw new PartialFailure(message, { id: error.id, properties, reasons: [message], refreshBeforeUpdate: true });
    }
  };

  type Call = Parameters<typeof plainErrors>[0];
  // also what cannot be read is a failure of the operation, of which the archivings of other resources must know
  const checking = <T>(call: Call, check: () => Promise<T>) =>
    plainErrors(call, () => connection().context.ownership.duringCheck(check));
  const working = <T>(call: Call, work: () => Promise<T>) =>
    plainErrors(call, () => connection().context.ownership.duringWork(work));

  return {
    check: async (request: CheckRequest): Promise<MessageInitShape<typeof CheckResponseSchema>> => {
      const { urn, olds, news = new Uint8Array() } = request;
      const [before, now] = [read(olds), read(news)];
      return checking({ inputs: now }, async () => {
        const { lifecycle, context } = connection();
        const old = Object.keys(before.value).length === 0 ? undefined : inputsFromEngine(type, urn, before);
        const { added, failures: unnamed } = proposedName(type, request, now.value, old);
        const inputs = inputsFromEngine(type, urn, { ...now, value: { ...now.value, ...added } });
        const found = unnamed.length > 0 ? unnamed : await lifecycle.check(inputs, old);
        if (found.length > 0) context.ownership.noteFailure();
        const warning = latestInProduction(parseUrn(urn).stack, inputs);
        if (warning !== undefined) context.warn(warning);
        return {
          // the inputs as they came, with what is added: in a Struct, later entries come on top of earlier ones
          inputs: Buffer.concat([news, writeStruct(added, [])]),
          failures: found.map((failure) => failureForEngine(failure, secrets)),
        };
      });
    },

    diff: async ({ id, urn, ...request }: DiffRequest): Promise<MessageInitShape<typeof DiffResponseSchema>> => {
      const [stored, before, now] = [read(request.olds), read(request.oldInputs), read(request.news)];
      return checking({ id, inputs: stored }, async () => {
        const { lifecycle, state, isMoved } = lifecycleAndState(id, stored, before);
        const inputs = inputsFromEngine(type, urn, now);
        const difference = await lifecycle.diff(id, state, inputs);
        const { isChanged, isUnfinished = false, replaces = [], isDeletedFirst = true } = difference;
        const paths = isChanged ? detailedDiff(declaredInputs(before), now, replaces) : new Map();
        return {
          changes:
            isChanged || isUnfinished || isMoved
              ? DiffResponse_DiffChanges.DIFF_SOME
              : DiffResponse_DiffChanges.DIFF_NONE,
          replaces,
          deleteBeforeReplace: isDeletedFirst,
          hasDetailedDiff: true,
          detailedDiff: Object.fromEntries(paths),
          diffs: [...new Set([...paths.keys()].map((path) => path.split(/[.[]/)[0] ?? path))],
        };
      });
    },

    create: async ({
      urn,
      properties = new Uint8Array(),
      preview,
    }: CreateRequest): Promise<MessageInitShape<typeof CreateResponseSchema>> => {
      const declared = read(properties);
      if (preview) return { properties: withPreviewed(properties, declared) };
      return working({ inputs: declared }, async () => {
        const { lifecycle, address } = connection();
        address.require(describeResource(type, undefined, declared.value));
        const inputs = inputsOf(urn, declared);
        const { id, state } = await lifecycle.create(inputs);
        return { id, properties: write(stateForEngine(state, [declared])), refreshBeforeUpdate: true };
      });
    },

    read: async ({ id, ...request }: ReadRequest): Promise<MessageInitShape<typeof ReadResponseSchema>> => {
      const [stored, before] = [withListedSecrets(read(request.properties)), read(request.inputs)];
      return plainErrors({ id, inputs: stored }, async () => {
        // a resource that a program only gets has a state after its first read, but never inputs
        const isImport = [stored, before].some(({ value }) => Object.keys(value).length === 0);
        const { lifecycle, state } = isImport
          ? { lifecycle: connection().lifecycle, state: undefined }
          : lifecycleAndState(id, stored, before);
        if (!isImport) warnOfProfile(connection());
        const found =
          state === undefined
            ? await importFrom(lifecycle, id, request.urn)
            : withId(id, await lifecycle.read(id, state));
        if (found === undefined) return {};
        // what somebody added to an object with a secret may be that secret
        const added = newPaths(found.state, stored.value).filter((path) =>
          stored.secretPaths.some((secret) => isAtOrWithin(secret, path.slice(0, -1))),
        );
        const after = stateForEngine(found.state, [stored, { value: {}, secretPaths: added }]);
        const emptied = emptiedPaths(stored.value, stored.secretPaths);
        const known = { ...before, secretPaths: [...before.secretPaths, ...emptied, ...added] };
        const inputs = found.inputs === undefined ? known : inputsForEngine(found.inputs, known);
        return {
          id: found.id,
          // what a dynamic provider has stored stays until an update, so that a move shows no differences
          properties: isAsBefore(ownState(after), ownState(stored)) ? request.properties : write(after),
          inputs: isAsBefore(inputs, known) ? request.inputs : write(inputs),
          refreshBeforeUpdate: true,
        };
      });
    },

    update: async ({ id, urn, ...request }: UpdateRequest): Promise<MessageInitShape<typeof UpdateResponseSchema>> => {
      const { news = new Uint8Array() } = request;
      const [stored, before, now] = [withListedSecrets(read(request.olds)), read(request.oldInputs), read(news)];
      if (request.preview) return { properties: withPreviewed(news, now, stored) };
      return working({ id, inputs: now, before: [stored] }, async () => {
        const { lifecycle, state } = lifecycleAndState(id, stored, before);
        const inputs = inputsOf(urn, now, id);
        const after = await lifecycle.update(id, state, inputs);
        // the program may declare a value in clear where there was none
        const emptied = emptiedPaths(now.value, emptiedPaths(stored.value, stored.secretPaths));
        return {
          properties: write(stateForEngine(after, [now, { value: {}, secretPaths: emptied }])),
          refreshBeforeUpdate: true,
        };
      });
    },

    delete: async ({ id, ...request }: DeleteRequest): Promise<object> => {
      const [stored, before] = [read(request.properties), read(request.oldInputs)];
      return plainErrors({ id, inputs: stored }, async () => {
        const { lifecycle, state } = lifecycleAndState(id, stored, before, deletionSchema);
        warnOfProfile(connection());
        await lifecycle.delete(id, state);
        return {};
      });
    },
  };

  /** The inputs as they came, and what a preview knows of the outputs on top. */
  function withPreviewed(bytes: Uint8Array, inputs: EngineProperties, before?: EngineProperties): Uint8Array {
    const outputs = previewedOutputs(type, inputs.value, before?.value);
    return Buffer.concat([bytes, writeStruct(outputs, withTenantIds(inputs.secretPaths))]);
  }

  /** What an import has read. Its state gets the logical name, which a lifecycle does not know from an id. */
  async function importFrom(lifecycle: Lifecycle<Inputs, State, Inputs | undefined>, id: string, urn: string) {
    if (lifecycle.import === undefined) throw new Error(`a ${type} cannot be imported`);
    const found = await lifecycle.import(id);
    if (found === undefined) return undefined;
    return { ...found, state: { ...found.state, ...addedInputs(type, urn, found.inputs) } };
  }
}

function withId<Found extends object>(id: string, found: Found | undefined): (Found & { id: string }) | undefined {
  return found === undefined ? undefined : { ...found, id };
}

/**
 * Whether properties are those that the engine has, which are then sent back as they came: a list with a secret would come
 * back as a secret list, which the engine takes for a change of the state.
 */
function isAsBefore(now: EngineProperties, before: EngineProperties): boolean {
  return (
    isDeepStrictEqual(now.value, before.value) &&
    isDeepStrictEqual(new Set(now.secretPaths.map(pathText)), new Set(before.secretPaths.map(pathText)))
  );
}

function pathText(path: readonly string[]): string {
  return JSON.stringify(path);
}

function write({ value, secretPaths }: EngineProperties): Uint8Array {
  return writeStruct(value, secretPaths);
}
