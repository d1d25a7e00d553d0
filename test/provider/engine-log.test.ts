import { createServer } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { createEngineLog } from "../../src/provider/engine-log.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function printed() {
  const lines: unknown[] = [];
  vi.spyOn(console, "error").mockImplementation((line) => lines.push(line));
  return lines;
}

test.each(["", "127.0.0.1:1", "no address"])(
  "messages go to standard error without an engine (%j)",
  async (address) => {
    const lines = printed();
    const log = createEngineLog(address);
    log.send("info", "a note");
    log.send("warning", "a warning");
    await log.sent();
    expect(lines).toEqual(["a note", "warning: a warning"]);
  },
);

test("an engine that does not answer holds up no resource for ever", async () => {
  const lines = printed();
  const silent = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : undefined;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const log = createEngineLog(`127.0.0.1:${port}`);
  log.send("warning", "a warning");
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  await log.sent();
  silent.close();
  expect(lines).toEqual(["warning: a warning"]);
});
