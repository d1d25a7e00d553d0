// `node gitlab-note.mjs FILE`: writes the file as a note on the merge request of this pipeline. A note of the same author
// that starts with the same line is edited instead. GITLAB_TOKEN is a project access token with the scope `api`.
import { readFile } from "node:fs/promises";

const { CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID, GITLAB_TOKEN } = process.env;
const notes = `/projects/${CI_PROJECT_ID}/merge_requests/${CI_MERGE_REQUEST_IID}/notes`;

const body = await readFile(process.argv[2], "utf8");
const [marker] = body.split("\n", 1);
const me = await (await call("GET", "/user")).json();
const mine = await findNote((note) => note.author.id === me.id && note.body.split("\n", 1)[0] === marker);
if (mine === undefined) await call("POST", notes, { body });
else await call("PUT", `${notes}/${mine.id}`, { body });

async function findNote(isWanted) {
  for (let page = "1"; page; ) {
    const response = await call("GET", `${notes}?per_page=100&page=${page}`);
    const found = (await response.json()).find(isWanted);
    if (found !== undefined) return found;
    page = response.headers.get("x-next-page");
  }
  return undefined;
}

async function call(method, path, content) {
  const response = await fetch(`${CI_API_V4_URL}${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": GITLAB_TOKEN, "content-type": "application/json" },
    body: content && JSON.stringify(content),
  });
  if (!response.ok) throw new Error(`${method} ${path}: GitLab answered ${response.status}`);
  return response;
}
