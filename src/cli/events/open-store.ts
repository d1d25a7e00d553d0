import { messageOf } from "../output.ts";
import { type Place, pathIn } from "../shell.ts";
import { CommandError } from "../subcommand.ts";
import type { DeadLetterStore, EventStore } from "./event-store.ts";
import type { ReceiverChoice } from "./receiver-choice.ts";
import { stackReceiver } from "./stack-receiver.ts";

/**
 * Does work with the events of a receiver. The AWS SDK is loaded only for a receiver on AWS.
 *
 * @throws CommandError if the receiver cannot be found or read.
 */
export function withEvents<Result>(
  place: Place,
  choice: ReceiverChoice,
  work: (store: EventStore) => Promise<Result>,
): Promise<Result> {
  return withStore(() => openEvents(place, choice), work);
}

/**
 * Does work with the dead letters of a receiver.
 *
 * @throws CommandError if the receiver cannot be found or read.
 */
export function withDeadLetters<Result>(
  place: Place,
  choice: ReceiverChoice,
  work: (store: DeadLetterStore) => Promise<Result>,
): Promise<Result> {
  return withStore(() => openDeadLetters(place, choice), work);
}

async function openEvents(place: Place, { data, ledger, bus, ...choice }: ReceiverChoice): Promise<EventStore> {
  if (data !== undefined) return (await import("./local-store.ts")).openLocalEvents(pathIn(place, data));
  const names = ledger === undefined ? await stackReceiver(place, choice) : { ledgerName: ledger, busName: bus };
  return (await import("./aws-store.ts")).openAwsEvents(names);
}

async function openDeadLetters(
  place: Place,
  { data, deadLetterQueue, ...choice }: ReceiverChoice,
): Promise<DeadLetterStore> {
  if (data !== undefined) return (await import("./local-store.ts")).openLocalDeadLetters(pathIn(place, data));
  const arn = deadLetterQueue ?? (await stackReceiver(place, choice)).deadLetterQueueArn;
  return (await import("./aws-store.ts")).openAwsDeadLetters(arn);
}

async function withStore<Store extends { close(): void }, Result>(
  open: () => Promise<Store>,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  try {
    const store = await open();
    try {
      return await work(store);
    } finally {
      store.close();
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(describe(error), { cause: error });
  }
}

/** The name of an error of AWS says more than its message: `AccessDeniedException`. */
function describe(error: unknown): string {
  const message = messageOf(error);
  const name = error instanceof Error && error.name !== "Error" ? error.name : "";
  const text = name === "" ? message : `${name}: ${message}`;
  return [text, ...nextSteps(name, message)].join("; ");
}

function nextSteps(name: string, message: string): string[] {
  if (/^Region (is missing|not accepted)/.test(message)) return ["set AWS_REGION"];
  if (!credentialErrors.includes(name)) return [];
  return ["check your AWS credentials, for example with `aws sts get-caller-identity`"];
}

/** Errors of an SDK that finds no credentials, and of services that do not accept them. */
const credentialErrors = [
  "CredentialsProviderError",
  "TokenProviderError",
  "ExpiredToken",
  "ExpiredTokenException",
  "InvalidClientTokenId",
  "InvalidSignatureException",
  "MissingAuthenticationToken",
  "MissingAuthenticationTokenException",
  "SignatureDoesNotMatch",
  "UnrecognizedClientException",
];
