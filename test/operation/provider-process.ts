// A provider process for tests: joins the claims of a folder and evaluates the lines of its standard input, one by one.
import { createInterface } from "node:readline";
import { createOwnership } from "../../src/operation/create-ownership.ts";
import { createLocks } from "../../src/operation/locks.ts";
import { openClaims } from "../../src/operation/open-claims.ts";

const [folder = "", provider = "dynamic"] = process.argv.slice(2);
const claims = openClaims({
  engineAddress: "127.0.0.1:34567",
  provider: provider === "native" ? "native" : "dynamic",
  platform: "a",
  warn: (message) => console.log(`warning: ${message}`),
  folder,
});
const ownership = createOwnership(claims, 0.3);
const locks = createLocks(claims);
const tenant = { id: 1, integrationId: 101, name: "acme" };
const forever = new Promise<never>(() => {});

const commands: Record<string, (...args: string[]) => unknown> = {
  hold: (owner = "", id) => ownership.hold(owner, Number(id)),
  holdMany: (owner = "", count) => {
    for (let id = 1; id <= Number(count); id += 1) {
      ownership.hold(`${owner} ${id}`, id);
      ownership.takeOver(owner, tenant);
      claims.sync();
    }
  },
  nextOwner: () => ownership.nextOwnerOf("Tenant acme", tenant),
  work: () => void ownership.duringWork(() => forever),
  lock: (key = "") => locks.take(key) !== undefined,
  exclusively: (key = "") => void locks.exclusively(key, () => forever),
};

setInterval(() => {}, 1000); // as the engine does, the test ends this process
console.log("ready");
for await (const line of createInterface(process.stdin)) {
  const [command = "", ...args] = JSON.parse(line);
  const answer = commands[command]?.(...args);
  setImmediate(() => console.log(JSON.stringify(answer ?? null)));
}
