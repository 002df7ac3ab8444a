/** One tab at a time. The lock goes with its tab, also when that is killed, so that it never has to be cleaned up. */

const PATIENCE = 1_500;

/**
 * Resolves when this tab alone holds the study. `onWaiting` is called where another tab holds it for longer than a page
 * needs to be reloaded.
 */
export function becomeOnlyTab(
  slug: string,
  onWaiting: () => void,
  locks: LockManager = navigator.locks,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(onWaiting, PATIENCE);
    const held = () => {
      clearTimeout(timer);
      resolve();
      // Held until the page is gone.
      return new Promise<never>(() => {});
    };
    locks.request(`lectern-${slug}`, held).catch(reject);
  });
}
