import { expect, it } from "vitest";
import { bytesOf, hexRows } from "./bytes";

it("decodes base64", () => {
  expect([...bytesOf("AEH/")]).toEqual([0, 0x41, 0xff]);
});

it("shows bytes sixteen a row", () => {
  const rows = hexRows(new Uint8Array([...Array(20).keys()].map((i) => i + 0x3a)), 512);
  expect(rows).toEqual([
    { offset: "00000000", hex: "3a 3b 3c 3d 3e 3f 40 41 42 43 44 45 46 47 48 49", text: ":;<=>?@ABCDEFGHI" },
    { offset: "00000010", hex: "4a 4b 4c 4d", text: "JKLM" },
  ]);
  expect(hexRows(new Uint8Array(100), 32)).toHaveLength(2);
});
