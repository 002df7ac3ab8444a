/** Which of the keys of a trial was pressed. */

import { typedBy } from "../typing/typed-by";

const NAMED: Readonly<Record<string, string>> = {
  space: " ",
  left: "ArrowLeft",
  right: "ArrowRight",
  up: "ArrowUp",
  down: "ArrowDown",
};

/** The place of the answer that a key gives, −1 where it gives none. */
export function placeOf(
  answers: readonly { readonly key: string }[],
  event: Pick<KeyboardEvent, "key" | "code">,
): number {
  // A dotted I with the capitals locked becomes two characters.
  const pressed = event.key.length === 1 ? event.key.toLowerCase().charAt(0) : event.key;
  const place = answers.findIndex(({ key }) => (NAMED[key] ?? key) === pressed);
  if (place >= 0 || event.key.length !== 1 || /[a-z]/iu.test(event.key)) return place;
  // On keyboards of other scripts a Latin letter is recognised by its place, and so is a digit that needs a modifier key.
  const typed = typedBy(event);
  return answers.findIndex(({ key }) => key === typed || `Key${key.toUpperCase()}` === event.code);
}
