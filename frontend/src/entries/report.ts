/** Entry of report pages: figures whose marks show their values. */

import { LiveFigure } from "../reports/figure";
import { pictureOf } from "../reports/picture";

async function enliven(image: HTMLImageElement, box: HTMLElement): Promise<void> {
  const picture = await pictureOf(image);
  if (picture === null) return;
  if (image.lang) picture.setAttribute("lang", image.lang);
  (image.closest("picture") ?? image).replaceWith(picture);
  new LiveFigure(box, picture, box.dataset.hint ?? "").begin();
}

for (const image of document.querySelectorAll<HTMLImageElement>(".figure-picture img")) {
  const box = image.closest<HTMLElement>(".figure-picture");
  if (box === null) continue;
  if (image.complete && image.naturalWidth > 0) void enliven(image, box);
  else image.addEventListener("load", () => void enliven(image, box), { once: true });
}
