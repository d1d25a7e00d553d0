/** Refuses to import a rollout: the platform shows what each tenant runs, but not which wave took it there and what proved it. */
export async function importFleetRollout(id: string): Promise<never> {
  throw new Error(
    `a FleetRollout cannot be imported (id "${id}"): the platform reports the release of each tenant, but nothing of the ` +
      "rollout that moved it. Import the TenantFleet, and declare a FleetRollout without an import: it takes the tenants " +
      "from what they run to the release that the fleet's rollout names",
  );
}
