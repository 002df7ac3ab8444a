/** 128 random bits as 32 hexadecimal digits. Unlike `crypto.randomUUID` it also exists on pages without HTTPS. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
