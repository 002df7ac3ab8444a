/** The direction of a text by its first letter. What is covered has no letters by which a browser could tell it. */

const FROM_RIGHT =
  /^\P{L}*(?=\p{L})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

export function directionOf(text: string): "rtl" | "ltr" {
  return FROM_RIGHT.test(text) ? "rtl" : "ltr";
}
