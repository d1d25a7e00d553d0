import { render } from "svg-term";

/** A recording as an animated SVG: dark, in a window. */
export function pictureOf(cast: string): string {
  return `${render(cast, { window: true, cursor: false })}\n`;
}
