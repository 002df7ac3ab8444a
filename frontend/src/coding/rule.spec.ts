import { describe, expect, test } from "vitest";
import { type Code, keysOf, toggled } from "./rule";

const NUMBERS = [0, 1, 2, 3, 4, 5, 6];
const TABLE: readonly Code[] = NUMBERS.map((number) => ({
  code: String(number),
  description: `Code ${number}`,
  is_exclusive: [0, 1, 5, 6].includes(number),
}));

describe("which codes may stand together", () => {
  test("codes that are not exclusive add up, in the order of the scheme", () => {
    const three = toggled(["4"], "3", TABLE);
    expect(three).toEqual({ chosen: ["3", "4"], cleared: [] });
    expect(toggled(three.chosen, "2", TABLE).chosen).toEqual(["2", "3", "4"]);
  });

  test("choosing a code again takes it back", () => {
    expect(toggled(["3", "4"], "3", TABLE)).toEqual({ chosen: ["4"], cleared: [] });
    expect(toggled(["0"], "0", TABLE)).toEqual({ chosen: [], cleared: [] });
  });

  test("the others give way to an exclusive code and are named", () => {
    expect(toggled(["3", "4"], "0", TABLE)).toEqual({ chosen: ["0"], cleared: ["3", "4"] });
    expect(toggled(["0"], "1", TABLE)).toEqual({ chosen: ["1"], cleared: ["0"] });
  });

  test("an exclusive code gives way to one that is not", () => {
    expect(toggled(["5"], "2", TABLE)).toEqual({ chosen: ["2"], cleared: ["5"] });
  });

  test("a code that the scheme does not have changes nothing", () => {
    expect(toggled(["3"], "9", TABLE)).toEqual({ chosen: ["3"], cleared: [] });
  });

  test("no sequence of keys leads out of the rule, in any scheme of four codes", () => {
    for (let exclusive = 0; exclusive < 16; exclusive += 1) {
      const scheme = [0, 1, 2, 3].map((number) => ({
        code: String(number),
        description: "",
        is_exclusive: (exclusive & (1 << number)) > 0,
      }));
      const seen = new Set<string>();
      const visit = (chosen: readonly string[]): void => {
        if (seen.has(chosen.join())) return;
        seen.add(chosen.join());
        expect(mayStandTogether(chosen, scheme)).toBe(true);
        for (const { code } of scheme) visit(toggled(chosen, code, scheme).chosen);
      };
      visit([]);
      expect(seen.size).toBeGreaterThan(4);
    }
  });
});

describe("digit keys", () => {
  test("a code of one digit is its own key", () => {
    expect([...keysOf(TABLE)]).toEqual(NUMBERS.map((number) => [String(number), String(number)]));
  });

  test("other codes take the digits that are free, as far as they go", () => {
    const scheme = ["good", "2", "bad"].map((code) => ({ code, description: "", is_exclusive: false }));
    expect(Object.fromEntries(keysOf(scheme))).toEqual({ "1": "good", "2": "2", "3": "bad" });
    const many = Array.from({ length: 12 }, (_, number) => ({ ...TABLE[0], code: `code${number}` }) as Code);
    expect(keysOf(many).size).toBe(10);
  });
});

/** Whether the codes are known, named once, and may stand together. */
function mayStandTogether(chosen: readonly string[], scheme: readonly Code[]): boolean {
  const known = scheme.filter((one) => chosen.includes(one.code));
  if (known.length !== chosen.length) return false;
  return known.length < 2 || !known.some((one) => one.is_exclusive);
}
