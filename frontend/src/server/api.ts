/** Requests to the server: JSON there and back, no exception for a status, one for no answer at all. */

export interface Answer {
  readonly status: number;
  /** The parsed body, or null where it is not JSON, as from a proxy or a log-in page of a network. */
  readonly body: unknown;
  readonly retryAfter: number | null;
}

export interface RequestOptions {
  readonly method?: "GET" | "POST";
  readonly keepalive?: boolean;
}

export type Send = (path: string, body: string | null, options?: RequestOptions) => Promise<Answer>;

const LONGEST_WAIT = 20_000;

/** Requests below `base`. Rejects with a TypeError or DOMException when nothing came back in time. */
export function sender(base: string): Send {
  return async (path, body, options = {}) => {
    const keepalive = options.keepalive ?? false;
    const response = await fetch(base + path, {
      method: options.method ?? "POST",
      headers: { Accept: "application/json", ...(body === null ? {} : { "Content-Type": "application/json" }) },
      body,
      credentials: "same-origin",
      cache: "no-store",
      keepalive,
      ...(keepalive ? {} : { signal: AbortSignal.timeout(LONGEST_WAIT) }),
    });
    return { status: response.status, body: parsed(await response.text()), retryAfter: seconds(response) };
  };
}

/** The `code` and `message` of an answer that refuses something, where it has them. */
export function refusalIn(answer: Answer): { readonly code: string | null; readonly message: string | null } {
  const body = isRecord(answer.body) ? answer.body : {};
  return {
    code: typeof body.code === "string" ? body.code : null,
    message: typeof body.message === "string" ? body.message : null,
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Asks once about an answer within a trial. Null where nothing usable comes back: such a question is never worth a wait. */
export async function checked(send: Send, path: string, body: unknown): Promise<Record<string, unknown> | null> {
  try {
    const answer = await send(path, JSON.stringify(body));
    return answer.status === 200 && isRecord(answer.body) ? answer.body : null;
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return null;
    throw error;
  }
}

/** What a server answers that is in trouble or overrun, or what something answers that is not the server. */
function isPassing(answer: Answer): boolean {
  return (
    answer.status >= 500 ||
    answer.status === 429 ||
    answer.status === 408 ||
    (answer.status === 200 && answer.body === null)
  );
}

/** Asks until there is an answer that more asking would not change. `onTrouble` is called after each attempt that failed. */
export async function persistently(ask: () => Promise<Answer>, onTrouble?: () => void): Promise<Answer> {
  for (let failures = 1; ; failures += 1) {
    let retryAfter = 0;
    try {
      const answer = await ask();
      if (!isPassing(answer)) return answer;
      retryAfter = answer.retryAfter ?? 0;
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
    }
    onTrouble?.();
    const backOff = 1_000 * 2 ** Math.min(failures - 1, 5) * (0.5 + Math.random() / 2);
    await pauseOrOnline(Math.min(30_000, Math.max(backOff, retryAfter * 1_000)));
  }
}

function pauseOrOnline(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    window.addEventListener("online", end);
  });
}

function parsed(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function seconds(response: Response): number | null {
  const value = Number(response.headers.get("Retry-After") ?? Number.NaN);
  return Number.isFinite(value) && value >= 0 ? value : null;
}
