/** Recovers a session's lost cookie with the stored start key. */

import { type Answer, refusalIn, type Send } from "./server/api";
import { Database } from "./server/database";

/** The server's answer to the start key of this browser, or null where the browser has none or does not give it. */
export async function recoverCookie(send: Send, slug: string): Promise<Answer | null> {
  let database: Database;
  let key: string | null;
  try {
    database = await Database.open();
    key = await database.startKey(slug);
  } catch (error) {
    if (error instanceof DOMException || error instanceof Error) return null;
    throw error;
  }
  try {
    if (key === null) return null;
    const answer = await send("session/recover/", JSON.stringify({ start_key: key }));
    if (answer.status === 404) await database.forgetStartKey(slug);
    return answer;
  } finally {
    database.close();
  }
}

/**
 * Requests that outlive the cookie: where the server knows no session any more, it is found again and the request sent
 * once more. What the server answers while it is in trouble is handed on, so that the caller tries again.
 */
export function recovering(send: Send, slug: string): Send {
  return async (path, body, options = {}) => {
    const answer = await send(path, body, options);
    if (options.keepalive || answer.status !== 404 || refusalIn(answer).code !== "no-session") return answer;
    const recovered = await recoverCookie(send, slug);
    if (recovered === null || recovered.status === 404) return answer;
    return recovered.status === 200 ? send(path, body, options) : recovered;
  };
}
