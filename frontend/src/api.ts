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
