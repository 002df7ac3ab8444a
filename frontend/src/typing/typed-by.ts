/** What a key types; the digit of its place if the keyboard needs a modifier key for digits, as French ones do. */
export function typedBy(event: Pick<KeyboardEvent, "key" | "code">): string {
  return event.key.length === 1 && event.code.startsWith("Digit") ? event.code.slice(5) : event.key;
}
