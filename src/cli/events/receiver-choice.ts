import type { StackChoice } from "../stack-choice.ts";

/** The receiver that a command line names: a file, names of resources on AWS, or else those in the outputs of a stack. */
export interface ReceiverChoice extends StackChoice {
  /** The SQLite file of a receiver on this machine. */
  data?: string | undefined;
  /** The name of a DynamoDB table. */
  ledger?: string | undefined;
  /** The name of an EventBridge bus. */
  bus?: string | undefined;
}

/** The names of a receiver's resources on AWS. */
export interface ReceiverNames {
  readonly ledgerName: string;
  readonly busName: string;
  readonly deadLetterQueueArn: string;
}
