// A bare Node server that responds to every request with one tenant: the lower limit for the cost of an emulator.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const tenant = JSON.stringify(
  JSON.parse(readFileSync(join(import.meta.dirname, "../test/fixtures/spec/tenant.json"), "utf8")).full,
);

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(request.method === "GET" ? `[${tenant}]` : tenant);
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(`Address: http://127.0.0.1:${typeof address === "object" ? address?.port : address}`);
});
