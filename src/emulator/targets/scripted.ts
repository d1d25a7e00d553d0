import type { Target, TargetAnswer } from "../entities/target.ts";
import { ProxyFailure } from "../http/problems.ts";
import type { ProxiedCall, TargetReply } from "./proxied-call.ts";

/**
 * The first scripted answer that fits a call; undefined when none does.
 *
 * @throws ProxyFailure for an answer that never comes.
 */
export function scriptedReply(target: Target | undefined, call: ProxiedCall): TargetReply | undefined {
  const path = pathOf(call);
  const answer = target?.answers?.find((candidate) => fits(candidate, call.method, path));
  if (!answer) return undefined;
  if (answer.times_out) throw new ProxyFailure("the external service did not answer in time");
  return { status: answer.status ?? 200, text: textOf(answer.body) };
}

function fits({ method, path }: TargetAnswer, calledMethod: string, calledPath: string): boolean {
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
