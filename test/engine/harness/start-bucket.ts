import { startMoto } from "../../aws/moto/start-moto.ts";

/** A bucket of S3 as moto plays it, on a free port of this machine, empty. */
export interface Bucket extends AsyncDisposable {
  /** What names it as a backend to Pulumi. */
  readonly env: Readonly<Record<string, string>>;
  /** The keys of the objects whose keys begin so. */
  keys(prefix?: string): Promise<string[]>;
  read(key: string): Promise<Buffer>;
}

/** Starts a moto with one bucket. */
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

/** moto lets everybody in who says who they are, and does not check it. */
async function get(url: string): Promise<Response> {
  const response = await fetch(url, { headers: { authorization: "AWS test:test" } });
  if (!response.ok) throw new Error(`GET ${url} answered ${response.status}`);
  return response;
}
