import { Client } from "pg";
import { z } from "zod";
import { startPostgres } from "../../test/engine/harness/start-postgres.ts";
import { type Backend, type StateFile, statesFolder } from "./backend.ts";

/** A table of a real Postgres server, which commits to the disk. */
export async function openPostgres(): Promise<Backend> {
  const postgres = await startPostgres({ isDurable: true });
  return {
    env: { PULUMI_BACKEND_URL: postgres.backendUrl },
    files: () => filesOf(postgres.backendUrl),
    [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
  };
}

/** The engine stores a file as base64 in JSON, a third more bytes than in other backends. Keys begin with the database's name. */
const rowsSchema = z.array(z.object({ path: z.string(), base64: z.base64(), bytes: z.int() }));
const query = `SELECT key AS path, data->>'data' AS base64, pg_column_size(data) AS bytes
  FROM pulumi_state WHERE strpos(key, $1) > 0`;

async function filesOf(connectionString: string): Promise<StateFile[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query(query, [statesFolder]);
    return rowsSchema.parse(rows).map(({ path, base64, bytes }) => {
      return { path, content: Buffer.from(base64, "base64"), storedBytes: bytes };
    });
  } finally {
    await client.end();
  }
}
