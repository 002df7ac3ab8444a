/**
 * Digits of other scripts (Arabic, Persian, Devanagari, Bengali, full width) and the decimal separator of Arabic, read as what
 * they mean. What is stored is what was typed; the server reads it by the same rule.
 */

const DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\uff10-\uff19]/gu;
/** From the last to the first. */
const ZEROS = [0xff10, 0x09e6, 0x0966, 0x06f0, 0x0660];
const DECIMAL_SEPARATORS = /[٫،]/gu;

/** The same text with the digits 0 to 9 and a comma for fractions. */
export function plainDigits(text: string): string {
  return text.replace(DIGITS, (digit) => String(digitOf(digit.codePointAt(0) ?? 0))).replace(DECIMAL_SEPARATORS, ",");
}

function digitOf(digit: number): number {
  return digit - (ZEROS.find((zero) => zero <= digit) ?? digit);
}
