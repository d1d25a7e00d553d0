import { plainClient } from "../plain-request.ts";

/** The account of everything in moto. */
export const account = "123456789012";

export const region = process.env.AWS_REGION ?? "";

/** Sends requests to the moto of this process's environment. */
export const { apiGateway, waf } = plainClient({
  endpoint: process.env.AWS_ENDPOINT_URL ?? "http://127.0.0.1",
  region,
});
