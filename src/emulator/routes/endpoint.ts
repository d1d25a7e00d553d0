import type { Context } from "hono";
import type { App, Environment } from "../http/environment.ts";
import { integerParameter } from "../http/parameters.ts";
import { errorMessage } from "../http/responses.ts";
import type { EndpointDescription } from "../openapi/endpoint-description.ts";
import type { Platform } from "../platform.ts";
import { InvalidRequest } from "../rules/problems.ts";

/** A route of the API. */
export interface Route {
  readonly method: EndpointDescription["method"];
  /** The path, with its parameters in braces. */
  readonly path: string;
  readonly handle: (request: RouteRequest) => Response | Promise<Response>;
}

/** An endpoint of the specification: the route that serves it, and its description in OpenAPI. */
export type Endpoint = Route & EndpointDescription;

/** A request, as a route reads it. */
export interface RouteRequest {
  readonly platform: Platform;
  readonly url: string;
  readonly bodyText: string;
  /** The value of a path parameter. */
  parameter(name: string): string;
  /**
   * The value of a path parameter that is an integer.
   *
   * @throws InvalidRequest when it is something else.
   */
  integer(name: string): number;
}

/** Adds routes to the app. */
export function addRoutes(app: App, platform: Platform, routes: readonly (Route | Endpoint)[]): void {
  for (const route of routes) {
    const path = route.path.replace(/\{(\w+)\}/g, ":$1");
    const handle = hasErrorMessages(route) ? withErrorMessages(route.handle) : route.handle;
    app.on(route.method.toUpperCase(), [path], (context) => handle(requestOf(platform, context)));
  }
}

function requestOf(platform: Platform, { req, env }: Context<Environment>): RouteRequest {
  const parameter = (name: string) => req.param(name) ?? "";
  return {
    platform,
    url: req.url,
    bodyText: env.bodyText,
    parameter,
    integer: (name) => integerParameter(name, parameter(name)),
  };
}

/** Whether the specification gives a 422 of this route the shape of an ErrorMessage, not of an HTTPValidationError. */
function hasErrorMessages(route: Route | Endpoint): boolean {
  return "responses" in route && route.responses[422] === "ErrorMessage";
}

function withErrorMessages(handle: Route["handle"]): Route["handle"] {
  return async (request) => {
    try {
      return await handle(request);
    } catch (error) {
      if (error instanceof InvalidRequest) return errorMessage(422, error.message);
      throw error;
    }
  };
}
