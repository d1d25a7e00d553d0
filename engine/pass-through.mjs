// Plain JavaScript: bootstrap.mjs runs this on whatever Node.js npm was started by. Types: pass-through.d.mts.
import { spawn } from "node:child_process";

const forwardedSignals = ["SIGINT", "SIGTERM", "SIGHUP"];
const sameSignalWithinMilliseconds = 1000;

/** See pass-through.d.mts. */
export function passThrough(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: "inherit" });
    const stopForwarding = forwardSignalsTo(child);
    child.on("error", (error) => {
      stopForwarding();
      reject(new Error(`${command} could not be started: ${error.message}`, { cause: error }));
    });
    child.on("exit", (code, signal) => {
      stopForwarding();
      // Ended by a signal: end in the same way, so that the caller sees what happened.
      if (signal !== null) process.kill(process.pid, signal);
      resolve(code ?? 1);
    });
  });
}

/** See pass-through.d.mts. */
export function forwardSignalsTo(child) {
  const lastSentAt = new Map();
  const forward = (signal) => {
    // A terminal's Ctrl-C reaches the child by itself, and a second one means "at once" to the engine.
    if (signal === "SIGINT" && process.stdin.isTTY) return;
    // npm passes on what a process group has already received: one signal must not arrive as two.
    const now = Date.now();
    if (now - (lastSentAt.get(signal) ?? 0) < sameSignalWithinMilliseconds) return;
    lastSentAt.set(signal, now);
    child.kill(signal);
  };
  for (const signal of forwardedSignals) process.on(signal, forward);
  return () => {
    for (const signal of forwardedSignals) process.off(signal, forward);
  };
}
