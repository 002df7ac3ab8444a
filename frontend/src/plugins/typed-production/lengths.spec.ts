import { describe, expect, test } from "vitest";
import contract from "../../../../tests/contract/typed_lengths.json";
import { lengthFault } from "./lengths";
import type { Limits } from "./params";

const limits = contract.limits as Record<string, Limits>;

describe("how long an answer may be", () => {
  test.each(contract.cases as [string, string, string][])("%s: %j is %j, as on the server", (name, typed, fault) => {
    expect(lengthFault(typed, limits[name] as Limits) ?? "").toBe(fault);
  });
});
