/**
 * What a tab remembers when its page is loaded again. Where a browser refuses site data, reading `sessionStorage` is an
 * error by itself; then things are remembered until the page is left.
 */

const untilLeft = new Map<string, string>();

export const tabMemory = {
  get: (name: string): string | null =>
    where(
      (storage) => storage.getItem(name),
      () => untilLeft.get(name) ?? null,
    ),

  set: (name: string, value: string): void =>
    where(
      (storage) => storage.setItem(name, value),
      () => void untilLeft.set(name, value),
    ),

  remove: (name: string): void =>
    where(
      (storage) => storage.removeItem(name),
      () => void untilLeft.delete(name),
    ),
};

function where<Result>(stored: (storage: Storage) => Result, refused: () => Result): Result {
  try {
    return stored(window.sessionStorage);
  } catch (error) {
    if (error instanceof DOMException) return refused();
    throw error;
  }
}
