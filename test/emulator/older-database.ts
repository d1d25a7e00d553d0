import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Makes an emulator's database one of an older format, with the same records. The emulator must be closed. */
export function downgrade(data: string, format: 1 | 2 | 3 | 4): void {
  const database = new DatabaseSync(join(data, "emulator.sqlite"));
  const [visible, times] = format < 3 ? ["shown", "shown_at"] : ["visible", "visible_at"];
  for (const table of ["tenants", "metadata"]) {
    database.exec(`
      ALTER TABLE ${table} RENAME COLUMN visible TO ${visible};
      ALTER TABLE ${table} ADD COLUMN ${times} INTEGER;
      CREATE INDEX ${table}_not_${visible} ON ${table} (${times}) WHERE ${times} IS NOT NULL;
      UPDATE ${table} SET ${times} = (SELECT visible_at FROM hidden_${table} WHERE hidden_${table}.id = ${table}.id);
      DROP TABLE hidden_${table};
    `);
  }
  if (format < 4) database.exec("DROP TABLE release_adoption");
  if (format === 2) database.exec("ALTER TABLE jobs RENAME TO agenda");
  if (format === 1) for (const table of tablesSinceFormat2) database.exec(`DROP TABLE ${table}`);
  database.exec(`PRAGMA user_version = ${format}`);
  database.close();
}

const tablesSinceFormat2 = ["builds", "triggers", "runs", "jobs", "deliveries", "emails", "api_keys", "settings"];
