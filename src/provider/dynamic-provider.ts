import type * as pulumi from "@pulumi/pulumi";
import type { Ownership } from "../operation/ownership.ts";
import type { ResourceKind } from "../resources/kinds.ts";
import { IncompleteError, type Lifecycle } from "../resources/lifecycle.ts";
import { type ConfigureRequest, configure, secrets } from "./connect.ts";
import { type Connection, requireProfile, warnOfProfile } from "./connection.ts";
import { hasKeyWithoutPath } from "./keys-without-path.ts";
import { describeResource, failureForEngine, messageOf } from "./messages.ts";
import { inWords, parseInputs, parseState } from "./parse.ts";
import { type PlatformAddress, withPlatform } from "./platform-address.ts";
import {
  possibleSecretsOf,
  secretValuesOf,
  withSecrets,
  withSecretsOfPart,
  withSecretTenantIds,
} from "./secret-parts.ts";
import { isStateOfNative, fromWire as neutralFromWire, type Wire, withProvider } from "./wire.ts";
import { withGarbageCollection } from "./with-garbage-collection.ts";

/**
 * Adapts a lifecycle to Pulumi's dynamic provider interface. Only this file and its neighbours know the engine's sentinels,
 * the host's `__provider` property, the platform's address in states, and the form of a partial failure.
 *
 * @param connect returns the connection of the lifecycle. It is called at the engine's first call.
 */
export function dynamicProvider<Inputs extends object, State extends object>(
  { type, lifecycle: createLifecycle, inputsSchema, stateSchema, deletionSchema }: ResourceKind<Inputs, State>,
  connect: () => Connection,
) {
  let connected:
    | (Connection & { lifecycle: Lifecycle<Inputs, State, Inputs | undefined>; ownership: Ownership })
    | undefined;
  const connection = () => {
    if (connected !== undefined) return connected;
    const opened = connect();
    connected = { ...opened, lifecycle: createLifecycle(opened.context), ownership: opened.context.ownership };
    return connected;
  };

  /** The lifecycle and the parsed state. Throws if the resource was created on another platform. */
  const lifecycleAndState = (id: string, stored: Wire, schema = stateSchema) => {
    const { lifecycle, address } = connection();
    const resource = describeResource(type, id, stored);
    address.require(resource, stored);
    const state = parseState(schema, fromWire(stored), resource);
    return { lifecycle, address, state, isMoved: address.isMoved(stored) };
  };

  const inputsOf = (properties: Wire, id?: string) =>
    parseInputs(inputsSchema, fromWire(properties), describeResource(type, id, properties));

  /** Runs work, converts its errors, and sends its notes and warnings before the engine gets the result. */
  const plainErrors = async <T>(
    { id, properties, before }: { id?: string; properties: Wire; before?: Wire },
    work: () => Promise<T>,
  ): Promise<T> => {
    try {
      return await withGarbageCollection(work);
    } catch (error) {
      const plain = asShownByEngine(
        messageOf(inWords(error, inputsSchema, describeResource(type, id, properties)), secrets),
      );
      if (!(error instanceof IncompleteError)) throw plain;
      const state = withSecretsOfPart(outputsOf(error.state, connection().address), properties, before);
      throw Object.assign(plain, {
        id: error.id,
        properties: withProvider(state, properties),
        reasons: [messageOf(error, secrets)],
      });
    } finally {
      await connected?.log.sent();
    }
  };

  type Call = Parameters<typeof plainErrors>[0];
  // also what cannot be read is a failure of the operation, of which the archivings of other resources must know
  const checking = <T>(call: Call, check: () => Promise<T>) =>
    plainErrors(call, () => connection().ownership.duringCheck(check));
  const working = <T>(call: Call, work: () => Promise<T>) =>
    plainErrors(call, () => connection().ownership.duringWork(work));

  return {
    configure: async (request: ConfigureRequest): Promise<void> => configure(request),

    check: (olds: Wire, news: Wire): Promise<pulumi.dynamic.CheckResult> =>
      checking({ properties: news }, async () => {
        const old = fromWire(olds);
        requireProfile(connection());
        const { lifecycle, ownership } = connection();
        const before = Object.keys(old).length === 0 ? undefined : old;
        const failures = await lifecycle.check(fromWire(news), before);
        if (failures.length > 0) ownership.noteFailure();
        return { inputs: news, failures: failures.map((failure) => failureForEngine(failure, secrets)) };
      }),

    diff: (id: string, olds: Wire, news: Wire): Promise<pulumi.dynamic.DiffResult> =>
      checking({ id, properties: olds }, async () => {
        const { lifecycle, state, isMoved } = lifecycleAndState(id, olds);
        const difference = await lifecycle.diff(id, state, fromWire(news));
        const { isChanged, isUnfinished = false, replaces = [], isDeletedFirst = true } = difference;
        // without `changes`, the engine compares the inputs itself and shows the paths of the changes, if it can read them
        const hasPaths = !hasKeyWithoutPath(olds) && !hasKeyWithoutPath(news);
        const mustUpdate = isMoved || isStateOfNative(olds) || isUnfinished || (isChanged && !hasPaths);
        const outcome = mustUpdate ? { changes: true } : isChanged ? {} : { changes: false };
        return { ...outcome, replaces, deleteBeforeReplace: isDeletedFirst };
      }),

    create: (properties: Wire): Promise<pulumi.dynamic.CreateResult> =>
      working({ properties }, async () => {
        const { lifecycle, address } = connection();
        address.require(describeResource(type, undefined, properties));
        const inputs = inputsOf(properties);
        const { id, state } = await lifecycle.create(inputs);
        return { id, outs: outputsOf(state, address) };
      }),

    read: (id: string, properties: Wire): Promise<Partial<pulumi.dynamic.ReadResult>> =>
      plainErrors({ id, properties }, async () => {
        const { lifecycle, address, state } = lifecycleAndState(id, properties);
        warnOfProfile(connection());
        const found = await lifecycle.read(id, state);
        if (found === undefined) return { id: "", props: {} };
        const inputs = found.inputs === undefined ? {} : { inputs: withSecrets(found.inputs, properties) };
        return { id, props: withSecrets(outputsOf(found.state, address), properties), ...inputs };
      }),

    update: (id: string, olds: Wire, news: Wire): Promise<pulumi.dynamic.UpdateResult> =>
      working({ id, before: olds, properties: news }, async () => {
        const { lifecycle, address, state } = lifecycleAndState(id, olds);
        const inputs = inputsOf(news, id);
        return { outs: outputsOf(await lifecycle.update(id, state, inputs), address) };
      }),

    delete: (id: string, properties: Wire): Promise<void> =>
      plainErrors({ id, properties }, async () => {
        const { lifecycle, state } = lifecycleAndState(id, properties, deletionSchema);
        warnOfProfile(connection());
        await lifecycle.delete(id, state);
      }),
  };
}

/** A state as the engine stores it. */
function outputsOf(state: object, address: PlatformAddress) {
  return withPlatform(withSecretTenantIds(state), address);
}

/** The properties in the form of lifecycles. Registers what is or may be a secret, so that later messages of this process redact it. */
function fromWire(properties: Wire): Wire {
  const own = neutralFromWire(properties);
  secrets.add(secretValuesOf(own));
  secrets.addPossible(possibleSecretsOf(own));
  return own;
}

/** Marks the errors that the engine shows at their resource. The host prints the stack of an error, which is this text. */
const shownByEngine = "(shown by the engine)";

const print = console.error;

/**
 * The host prints every error of check, diff, read and delete to standard error, and also returns it to the engine. The
 * user would see each error twice, so this process does not print the errors that {@link asShownByEngine} has marked.
 */
console.error = (...parts: unknown[]) => {
  const isShown = parts.length === 1 && typeof parts[0] === "string" && parts[0].endsWith(shownByEngine);
  if (!isShown) print(...parts);
};

/** An error with this message, which only the engine shows. It has no call stack, because users do not need one. */
function asShownByEngine(message: string): Error {
  const error = new Error(message);
  error.stack = shownByEngine;
  return error;
}
