/**
 * What a browser still kept of a session that was erased goes, too; what it keeps of other sessions stays. Apart from
 * `database.ts`, whose names it repeats: shared by one more page, that would be a file of its own for every participant.
 */

const STORES = ["entries", "problems", "attempts"];

/** Deletes what `Database` keeps of a session. Where nothing was ever kept, nothing is made. */
export function forget(session: string, factory: IDBFactory = indexedDB): Promise<void> {
  return new Promise((resolve) => {
    const request = factory.open("lectern");
    // There is no storage yet, and an empty one would be taken for it.
    request.onupgradeneeded = () => request.transaction?.abort();
    request.onerror = () => resolve();
    request.onsuccess = () => {
      const transaction = request.result.transaction(STORES, "readwrite", { durability: "strict" });
      for (const name of STORES) transaction.objectStore(name).delete(IDBKeyRange.bound([session], [session, []]));
      transaction.oncomplete = transaction.onabort = () => {
        request.result.close();
        resolve();
      };
    };
  });
}
