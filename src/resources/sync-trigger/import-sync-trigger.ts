/** Refuses to import a sync: the platform shows the status of a trigger, and nothing else of it (specification, Runs). */
export async function importSyncTrigger(id: string): Promise<never> {
  throw new Error(
    `a SyncTrigger cannot be imported (id "${id}"): the platform reports the status of a trigger, but not its tenant, mode ` +
      "and payload. To request a sync, declare a SyncTrigger without an import. To read the status of this trigger, call " +
      "getTriggerStatus with its id",
  );
}
