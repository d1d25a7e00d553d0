/** What some work has printed to standard output and with `console`, in order. Nothing of it reaches the terminal. */
export async function printedBy(work: () => Promise<void>): Promise<string> {
  const before = { log: console.log, error: console.error, write: process.stdout.write };
  let printed = "";
  const add = (text: unknown) => {
    printed += text instanceof Uint8Array ? Buffer.from(text).toString() : String(text);
    return true;
  };
  const addLine = (...texts: readonly unknown[]) => void add(`${texts.map(String).join(" ")}\n`);
  console.log = addLine;
  console.error = addLine;
  process.stdout.write = add;
  try {
    await work();
  } finally {
    console.log = before.log;
    console.error = before.error;
    process.stdout.write = before.write;
  }
  return printed;
}
