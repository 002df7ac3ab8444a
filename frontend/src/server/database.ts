/**
 * What a browser keeps until the server has it: the entries that wait, the ones that the server refused permanently, how often
 * each trial was begun, and a name for this browser. In IndexedDB, because its writes survive a killed browser once their
 * transaction has completed with strict durability; localStorage loses them.
 */

const NAME = "lectern";
const VERSION = 1;

export interface StoredEntry {
  readonly session: string;
  readonly kind: string;
  readonly sequence: number;
  readonly batch: number;
  /** The entry as it is sent, so that a second delivery is equal to the first byte by byte. */
  readonly json: string;
}

export interface Problem extends StoredEntry {
  readonly status: string;
  readonly message: string;
}

export type EntryKey = readonly [session: string, kind: string, sequence: number, batch: number];

export class Database {
  private constructor(private readonly connection: IDBDatabase) {}

  /** Throws where the browser does not let the page store anything. */
  static async open(factory: IDBFactory = indexedDB): Promise<Database> {
    const request = factory.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      const key = ["session", "kind", "sequence", "batch"];
      request.result.createObjectStore("entries", { keyPath: key });
      request.result.createObjectStore("problems", { keyPath: key });
      request.result.createObjectStore("attempts", { keyPath: ["session", "sequence"] });
      request.result.createObjectStore("facts", { keyPath: "name" });
    };
    const connection = await requested(request);
    // Another tab that wants to upgrade must not wait for this one for ever.
    connection.onversionchange = () => connection.close();
    return new Database(connection);
  }

  close(): void {
    this.connection.close();
  }

  async entries(session: string): Promise<StoredEntry[]> {
    const store = this.connection.transaction("entries").objectStore("entries");
    return requested(store.getAll(ofSession(session)) as IDBRequest<StoredEntry[]>);
  }

  async problems(session: string): Promise<Problem[]> {
    const store = this.connection.transaction("problems").objectStore("problems");
    return requested(store.getAll(ofSession(session)) as IDBRequest<Problem[]>);
  }

  /** Resolves when the entries are on the disk. */
  async add(entries: readonly StoredEntry[]): Promise<void> {
    const transaction = this.write("entries");
    for (const entry of entries) transaction.objectStore("entries").put(entry);
    await completed(transaction);
  }

  /** Takes acknowledged entries out and moves the ones the server will never take to the problems, in one step. */
  async settle(options: { readonly done: readonly EntryKey[]; readonly problems: readonly Problem[] }): Promise<void> {
    const transaction = this.write("entries", "problems");
    for (const key of options.done) {
      transaction.objectStore("entries").delete([...key]);
      transaction.objectStore("problems").delete([...key]);
    }
    for (const problem of options.problems) {
      transaction.objectStore("problems").put(problem);
      transaction.objectStore("entries").delete([problem.session, problem.kind, problem.sequence, problem.batch]);
    }
    await completed(transaction);
  }

  /** Counts that a trial begins, together with the entry that tells the server, and returns how often it has begun. */
  async begin(entry: StoredEntry): Promise<number> {
    const transaction = this.write("entries", "attempts");
    const attempts = transaction.objectStore("attempts");
    const key = [entry.session, entry.sequence];
    const known = await requested(attempts.get(key) as IDBRequest<{ count: number } | undefined>);
    const count = (known?.count ?? 0) + 1;
    attempts.put({ session: entry.session, sequence: entry.sequence, count });
    transaction.objectStore("entries").put(entry);
    await completed(transaction);
    return count;
  }

  /** A random name for this browser, made once. It is the same after a crash, so that the server's lease is still ours. */
  async browserName(make: () => string): Promise<string> {
    const transaction = this.write("facts");
    const facts = transaction.objectStore("facts");
    const known = await requested(facts.get("browser") as IDBRequest<{ value: string } | undefined>);
    const value = known?.value ?? make();
    if (known === undefined) facts.put({ name: "browser", value });
    await completed(transaction);
    return value;
  }

  /** The key with which a study was started in this browser. Cookies of the last seconds die with a killed browser. */
  async startKey(slug: string): Promise<string | null> {
    const store = this.connection.transaction("facts").objectStore("facts");
    const known = await requested(store.get(`start/${slug}`) as IDBRequest<{ value: string } | undefined>);
    return known?.value ?? null;
  }

  /** Resolves when the key is on the disk. */
  async keepStartKey(slug: string, value: string): Promise<void> {
    const transaction = this.write("facts");
    transaction.objectStore("facts").put({ name: `start/${slug}`, value });
    await completed(transaction);
  }

  async forgetStartKey(slug: string): Promise<void> {
    const transaction = this.write("facts");
    transaction.objectStore("facts").delete(`start/${slug}`);
    await completed(transaction);
  }

  private write(...stores: string[]): IDBTransaction {
    return this.connection.transaction(stores, "readwrite", { durability: "strict" });
  }
}

/** Whether this browser can write to IndexedDB and read back what it wrote. */
export async function storageWorks(factory?: IDBFactory | null): Promise<boolean> {
  const session = "storage-check";
  const probe = { session, kind: "probe", sequence: 0, batch: 0, json: String(Math.random()) };
  try {
    // Looking for it may be refused already.
    const used = factory === undefined ? (globalThis.indexedDB ?? null) : factory;
    if (used === null) return false;
    const database = await Database.open(used);
    await database.add([probe]);
    const [read] = await database.entries(session);
    await database.settle({ done: [[session, "probe", 0, 0]], problems: [] });
    database.close();
    return read?.json === probe.json;
  } catch (error) {
    if (error instanceof DOMException || error instanceof Error) return false;
    throw error;
  }
}

function ofSession(session: string): IDBKeyRange {
  return IDBKeyRange.bound([session], [session, []]);
}

function requested<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("The storage did not answer."));
    if (request instanceof IDBOpenDBRequest) {
      request.onblocked = () => reject(new Error("Another tab holds an older version of the storage."));
    }
  });
}

function completed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("The storage took it back."));
    transaction.onerror = () => reject(transaction.error ?? new Error("The storage failed."));
  });
}
