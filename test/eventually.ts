import { vi } from "vitest";

/**
 * Waits until an assertion holds, for a minute at most. Also in a test that runs at the same time as others of its file:
 * `expect.poll` fails there once one of them has ended.
 */
export function eventually(assertion: () => unknown): Promise<unknown> {
  return vi.waitFor(assertion, { timeout: 60_000, interval: 10 });
}
