import { startMoto } from "../../aws/moto/start-moto.ts";

/** An empty S3 bucket in moto, on a free port. */
export interface Bucket extends AsyncDisposable {
  /** The environment variables that make the bucket Pulumi's backend. */
  readonly env: Readonly<Record<string, string>>;
  /** The keys of the objects with this prefix. */
  keys(prefix?: string): Promise<string[]>;
  read(key: string): Promise<Buffer>;
}

/** Starts moto with one bucket. */
export async function startBucket(): Promise<Bucket> {
  await using begun = new AsyncDisposableStack();
  const moto = begun.use(await startMoto());
  const url = `${moto.url}/${name}`;
  const { status } = await fetch(url, { method: "PUT" });
  if (status !== 200) throw new Error(`moto answered ${status} to the creation of a bucket`);
  const { host } = new URL(moto.url);
  const query = `endpoint=${host}&disableSSL=true&s3ForcePathStyle=true&region=${moto.client.region}`;
  const ended = begun.move();
  return {
    env: { ...moto.env, PULUMI_BACKEND_URL: `s3://${name}?${query}` },
    keys: async (prefix = "") => {
      const listing = await (await get(`${url}?list-type=2&prefix=${prefix}`)).text();
      return [...listing.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = ""]) => key);
    },
    read: async (key) => Buffer.from(await (await get(`${url}/${key}`)).arrayBuffer()),
    [Symbol.asyncDispose]: () => ended.disposeAsync(),
  };
}

const name = "state";

/** moto requires credentials but does not check them. */
async function get(url: string): Promise<Response> {
  const response = await fetch(url, { headers: { authorization: "AWS test:test" } });
  if (!response.ok) throw new Error(`GET ${url} answered ${response.status}`);
  return response;
}
