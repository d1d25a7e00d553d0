import { join } from "node:path";

const folder = join(import.meta.dirname, "../../docs/public");

/** The recording of `npm run demo`. */
export const castFile = join(folder, "demo.cast");
/** The recording as a picture. */
export const pictureFile = join(folder, "demo.svg");
