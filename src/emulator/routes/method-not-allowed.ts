import { json } from "../http/answers.ts";
import type { App } from "../http/environment.ts";

/** Answers the other methods of every path that `app` has a route for: 405 with what is allowed. To be called last. */
export function refuseOtherMethods(app: App): void {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    if (method === "ALL") continue;
    const known = methods.get(path) ?? new Set();
    methods.set(path, known.add(method));
  }
  for (const [path, allowed] of methods) {
    const allow = [...allowed].join(", ");
    app.all(path, () => json({ detail: "Method Not Allowed" }, 405, { allow }));
  }
}
