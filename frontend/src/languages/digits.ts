/**
 * Digits of Arabic and Persian keyboards, taken as they are typed: every field for a number, the server and the tables know
 * 0 to 9 alone. Loaded with the languages whose keyboards have others.
 */

const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/gu;
const OTHER_SEPARATORS = /[٫،]/gu;

/** The same text with the digits 0 to 9 and a comma for fractions. */
export function europeanDigits(text: string): string {
  // The last four bits of a digit of these rows are its value.
  return text.replace(OTHER_DIGITS, (digit) => String((digit.codePointAt(0) ?? 0) & 15)).replace(OTHER_SEPARATORS, ",");
}

/** Replaces digits in number fields by 0 to 9, before the field itself handles the input. */
export function takeDigits(page: Document): void {
  const take = (event: Event) => {
    const field = event.target;
    if (!(field instanceof HTMLInputElement) || (event as InputEvent).isComposing) return;
    const mode = field.getAttribute("inputmode") ?? "";
    if (mode !== "decimal" && mode !== "numeric" && field.id !== "answer") return;
    const plain = europeanDigits(field.value);
    if (plain === field.value) return;
    const place = field.selectionStart;
    field.value = plain;
    field.setSelectionRange(place, place);
  };
  page.addEventListener("input", take, { capture: true });
}
