import type { ProxiedCall, Target, TargetAnswer, TargetReply } from "../entities/target.ts";
import { ProxyFailure } from "../rules/problems.ts";

/**
 * The first scripted answer that matches a call; undefined when none matches.
 *
 * @throws ProxyFailure when the answer is a timeout.
 */
export function scriptedReply(target: Target | undefined, call: ProxiedCall): TargetReply | undefined {
  const path = pathOf(call);
  const answer = target?.answers?.find((candidate) => matches(candidate, call.method, path));
  if (!answer) return undefined;
  if (answer.times_out) throw new ProxyFailure("The external service did not answer in time");
  return { status: answer.status ?? 200, text: textOf(answer.body) };
}

function matches({ method, path }: TargetAnswer, calledMethod: string, calledPath: string): boolean {
  return (method === undefined || method.toUpperCase() === calledMethod) && new RegExp(path ?? "").test(calledPath);
}

function pathOf({ targetUrl, query }: ProxiedCall): string {
  const url = URL.parse(targetUrl, "http://target.invalid/");
  if (!url) return targetUrl;
  for (const [name, value] of query) url.searchParams.append(name, value);
  return url.pathname + url.search;
}

function textOf(body: unknown): string {
  if (body === undefined) return "{}";
  return typeof body === "string" ? body : JSON.stringify(body);
}
