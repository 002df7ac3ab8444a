import { describe, expect, test, vi } from "vitest";
import { BATCH, type Item, ItemWindow } from "./window";

function item(number: number): Item {
  return {
    key: `k${number}`,
    number,
    stimulus: [],
    recall: [],
    suggestion: null,
    coding: null,
    revision: 0,
    codings: [],
  };
}

function windowOf(total: number) {
  const fetchItems = vi.fn(async (from: number, count: number) =>
    Array.from({ length: Math.max(0, Math.min(count, total - from + 1)) }, (_, index) => item(from + index)),
  );
  return { fetchItems, items: new ItemWindow(total, fetchItems) };
}

describe("texts that are fetched ahead", () => {
  test("are here before they are wanted, whatever the length of the queue", async () => {
    const { items, fetchItems } = windowOf(512);
    await items.get(1);
    for (let number = 2; number <= 512; number += 1) {
      expect(items.at(number)?.key).toBe(`k${number}`);
      items.prefetch(number);
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
    }
    expect(fetchItems).toHaveBeenCalledTimes(Math.ceil(512 / BATCH));
  });

  test("are asked for once, however often they are wanted", async () => {
    const { items, fetchItems } = windowOf(30);
    await Promise.all([items.get(3), items.get(4), items.get(3)]);
    expect(fetchItems.mock.calls).toEqual([[1, BATCH]]);
  });

  test("can be fetched again after a failure", async () => {
    const fetchItems = vi
      .fn<(from: number, count: number) => Promise<readonly Item[]>>()
      .mockRejectedValueOnce(new TypeError("offline"))
      .mockResolvedValue([item(1)]);
    const items = new ItemWindow(1, fetchItems);
    await expect(items.get(1)).rejects.toThrow("offline");
    await expect(items.get(1)).resolves.toMatchObject({ key: "k1" });
  });
});
