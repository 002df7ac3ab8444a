/** Configuration that the page passes to the script of the workspace. */

import type { Code } from "./rule";

export interface WorkspaceConfig {
  readonly mode: "code" | "adjudicate";
  readonly api: string;
  readonly total: number;
  readonly coded: number;
  readonly start: number;
  readonly frozen: boolean;
  readonly pace_seconds: number | null;
  readonly scheme: readonly Code[];
  /** Under which name what waits is kept in the browser's storage. */
  readonly storage: string;
  readonly texts: Readonly<Record<string, string>>;
}
