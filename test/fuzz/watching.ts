import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";

// The thread of `watchForHangs`.

const limitSeconds = 20;
const { counter, what }: { counter: Int32Array; what: string } = workerData;

let current = -1;
let usedBefore = process.cpuUsage();

setInterval(() => {
  const number = Atomics.load(counter, 0);
  if (number !== current) {
    current = number;
    usedBefore = process.cpuUsage();
    return;
  }
  const { user, system } = process.cpuUsage(usedBefore);
  if (number === 0 || (user + system) / 1e6 < limitSeconds) return;
  writeSync(
    2,
    `\n${what}: case ${number} has used ${limitSeconds} s of CPU time and goes on; the process ends here.\n`,
  );
  process.kill(process.pid, "SIGKILL");
}, 500);
