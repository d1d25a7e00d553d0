import { join } from "node:path";
import { startLocalReceiver } from "../../src/receiver/local/local-receiver.ts";
import type { PlatformProcess } from "./platform-process.ts";

/** The project's own receiver, told of what happens on the platform. */
export interface Webhooks extends AsyncDisposable {
  /** All that it would have printed. */
  printed(): string;
  /** How many events have come. */
  count(): number;
}

/** @param folder of its queue and ledger, which are searched for secrets as well. */
export async function receiveWebhooks(platform: PlatformProcess, folder: string, token: string): Promise<Webhooks> {
  const lines: string[] = [];
  let count = 0;
  const receiver = await startLocalReceiver({
    token,
    data: join(folder, "receiver.db"),
    onEvent: (event) => {
      count += 1;
      lines.push(JSON.stringify(event));
    },
    log: (entry) => void lines.push(JSON.stringify(entry)),
  });
  const sent = { send_webhook: true };
  await platform.call("PATCH", "/_emulator/settings", {
    webhook_url: receiver.url,
    notifications: { tenant_created: sent, tenant_archived: sent, run_failed: sent },
  });
  return {
    printed: () => lines.join("\n"),
    count: () => count,
    [Symbol.asyncDispose]: () => receiver.close(),
  };
}
