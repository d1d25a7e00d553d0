/** When the engine writes the state. With `end`, rounds have tenants only, and their commands are killed. */
export const checkpointModes = ["each", "end"] as const;
export type CheckpointMode = (typeof checkpointModes)[number];
