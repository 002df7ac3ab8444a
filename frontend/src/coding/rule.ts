/** Which codes may be combined: an exclusive one with no other, all others freely. The server has the same rule. */

export interface Code {
  readonly code: string;
  readonly description: string;
  readonly is_exclusive: boolean;
}

export interface Toggled {
  /** In the order of the scheme. */
  readonly chosen: readonly string[];
  /** What had to give way to the code that was chosen. */
  readonly cleared: readonly string[];
}

/** Chooses a code, or deselects it. Codes that cannot be combined with it are deselected. */
export function toggled(chosen: readonly string[], code: string, scheme: readonly Code[]): Toggled {
  const known = scheme.find((one) => one.code === code);
  if (known === undefined) return { chosen, cleared: [] };
  if (chosen.includes(code)) return { chosen: inOrder(without(chosen, [code]), scheme), cleared: [] };
  const exclusive = new Set(scheme.filter((one) => one.is_exclusive).map((one) => one.code));
  const cleared = known.is_exclusive ? [...chosen] : chosen.filter((one) => exclusive.has(one));
  return { chosen: inOrder([...without(chosen, cleared), code], scheme), cleared: inOrder(cleared, scheme) };
}

export function inOrder(chosen: readonly string[], scheme: readonly Code[]): readonly string[] {
  return scheme.map((one) => one.code).filter((code) => chosen.includes(code));
}

export function sameCodes(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((code) => other.includes(code));
}

function without(chosen: readonly string[], gone: readonly string[]): string[] {
  return chosen.filter((code) => !gone.includes(code));
}

/** The digit for each code: its own name where that is one digit, otherwise the first digit that is free. */
export function keysOf(scheme: readonly Code[]): ReadonlyMap<string, string> {
  const names = new Set(scheme.map((one) => one.code));
  const free = [..."1234567890"].filter((digit) => !names.has(digit));
  const keys = new Map<string, string>();
  for (const { code } of scheme) {
    const key = /^[0-9]$/.test(code) ? code : free.shift();
    if (key !== undefined) keys.set(key, code);
  }
  return keys;
}
