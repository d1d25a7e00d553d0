import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { withProgress } from "../../src/cli/terminal.ts";
import { testShell } from "./test-shell.ts";

/** A terminal of 30 columns, and what was written to it. */
function terminalOf(isTTY: boolean) {
  const written: string[] = [];
  const { shell } = testShell();
  const write = (text: string | Uint8Array) => written.push(String(text)) > 0;
  const terminal = { ...shell, stderr: Object.assign(shell.stderr, { isTTY, columns: 30, write }) };
  return { written, terminal };
}

describe("the progress of work", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("is shown on a terminal after two seconds, in one line that vanishes at the end", async () => {
    const { written, terminal } = terminalOf(true);
    const work = withProgress(terminal, "reading the tenants", async ({ show }) => {
      await vi.advanceTimersByTimeAsync(1900);
      expect(written).toEqual([]);
      await vi.advanceTimersByTimeAsync(200);
      expect(written).toEqual(["\r\u001b[2Kreading the tenants"]);
      show("reading metadata: 12 of 5000 tenants");
      await vi.advanceTimersByTimeAsync(100);
      expect(written.at(-1)).toBe("\r\u001b[2Kreading metadata: 12 of 5000…");
      return "result";
    });
    expect(await work).toBe("result");
    expect(written.at(-1)).toBe("\r\u001b[2K");
    const before = written.length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(written).toHaveLength(before);
  });

  test("leaves no line if the work fails", async () => {
    const { written, terminal } = terminalOf(true);
    const work = withProgress(terminal, "reading", async () => {
      await vi.advanceTimersByTimeAsync(5000);
      throw new Error("no network");
    });
    await expect(work).rejects.toThrow("no network");
    expect(written.at(-1)).toBe("\r\u001b[2K");
  });

  test("is not shown of fast work, nor without a terminal", async () => {
    const fast = terminalOf(true);
    await withProgress(fast.terminal, "reading", () => vi.advanceTimersByTimeAsync(1000));
    const pipe = terminalOf(false);
    await withProgress(pipe.terminal, "reading", () => vi.advanceTimersByTimeAsync(10_000));
    expect([fast.written, pipe.written]).toEqual([[], []]);
  });
});
