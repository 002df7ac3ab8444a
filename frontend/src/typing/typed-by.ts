/** What a key types; the digit of its place where a keyboard types digits with another key beside it, as French ones do. */
export function typedBy(event: Pick<KeyboardEvent, "key" | "code">): string {
  return event.key.length === 1 && event.code.startsWith("Digit") ? event.code.slice(5) : event.key;
}
