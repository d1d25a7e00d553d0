import { messageOf } from "../output.ts";
import { type Place, pathIn } from "../shell.ts";
import { CommandError } from "../subcommand.ts";
import type { EventStore } from "./event-store.ts";
import type { ReceiverChoice } from "./receiver-choice.ts";
import { stackReceiver } from "./stack-receiver.ts";

/**
 * Does work with the events of a receiver. The AWS SDK is loaded only for a receiver on AWS.
 *
 * @throws CommandError if the receiver cannot be found or read.
 */
export async function withEvents<Result>(
  place: Place,
  choice: ReceiverChoice,
  work: (store: EventStore) => Promise<Result>,
): Promise<Result> {
  try {
    const store = await openEvents(place, choice);
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

async function openEvents(place: Place, { data, ledger, bus, ...choice }: ReceiverChoice): Promise<EventStore> {
  if (data !== undefined) return (await import("./local-store.ts")).openLocalEvents(pathIn(place, data));
  const names = ledger === undefined ? await stackReceiver(place, choice) : { ledgerName: ledger, busName: bus };
  return (await import("./aws-store.ts")).openAwsEvents(names);
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
