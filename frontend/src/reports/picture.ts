/** The file of a figure as a part of the page. */

// More marks than these make a page slow; their picture stays a picture.
const MOST_ELEMENTS = 12_000;

let pictures = 0;

/** The SVG in a text, with names of its own for what it refers to; null where it is none or too large for a page. */
export function pictureIn(text: string): SVGSVGElement | null {
  pictures += 1;
  const apart = text.replaceAll(/(\bid="|url\(#)(?=clip|gradient_)/g, `$1figure-${pictures}-`);
  const parsed = new DOMParser().parseFromString(apart, "image/svg+xml").documentElement;
  if (parsed.localName !== "svg" || parsed.querySelector("parsererror") !== null) return null;
  if (parsed.getElementsByTagName("*").length > MOST_ELEMENTS) return null;
  return document.importNode(parsed, true) as unknown as SVGSVGElement;
}

/** Fetches the file that an image shows; the browser has it already. */
export async function pictureOf(image: HTMLImageElement): Promise<SVGSVGElement | null> {
  try {
    const answer = await fetch(image.currentSrc, { credentials: "same-origin" });
    return answer.ok ? pictureIn(await answer.text()) : null;
  } catch {
    // Without a connection the image is still there.
    return null;
  }
}
