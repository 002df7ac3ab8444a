/** What this device can read with. */

import type { DeviceName } from "./messages";
import type { Mode } from "./params";

const DEVICES: Readonly<Record<Mode, readonly DeviceName[]>> = {
  pointer: ["mouse", "touchpad", "trackball", "pen"],
  drag: ["touchscreen"],
  keyboard: ["keyboard"],
};

/** What somebody may have in their hand who reads in one of these ways. */
export function devicesFor(modes: readonly Mode[]): readonly DeviceName[] {
  return [...modes.flatMap((mode) => DEVICES[mode]), "other"];
}

const NEEDED: Readonly<Record<Mode, string | null>> = {
  pointer: "(any-hover: hover) and (any-pointer: fine)",
  drag: "(any-pointer: coarse)",
  // Keyboards do not show until they are used.
  keyboard: null,
};

/** Resolves at once where one of these ways is open here, else when a device for one is connected. */
export async function ableToRead(modes: readonly Mode[], refuse: () => void): Promise<void> {
  const needed = modes.map((mode) => NEEDED[mode]);
  if (typeof window.matchMedia !== "function" || needed.includes(null)) return;
  const queries = needed.filter((query) => query !== null).map((query) => window.matchMedia(query));
  if (queries.some((query) => query.matches)) return;
  refuse();
  await new Promise<void>((resolve) => {
    for (const query of queries) {
      query.addEventListener("change", () => {
        if (query.matches) resolve();
      });
    }
  });
}
