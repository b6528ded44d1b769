// The policy against a plain reference: rules x spellings x links x aliases x methods.
//
// LODE_MATRIX_SEED says which policies and questions are made, LODE_MATRIX_CASES how many
// questions are asked in all.
import assert from "node:assert/strict";
import { it } from "node:test";
import { Matrix } from "./matrix/run.mjs";

const cases = Number(process.env.LODE_MATRIX_CASES ?? 10_000);
const seed = Number(process.env.LODE_MATRIX_SEED ?? 14);

it(`${cases} questions are answered as the reference says (LODE_MATRIX_SEED=${seed})`, async () => {
  const { asked, policies, differences } = await new Matrix({ seed, cases }).run();
  console.log(`# ${asked} questions under ${policies} policies`);
  for (const text of differences.slice(0, 10)) console.log(text);
  assert.equal(differences.length, 0, `LODE_MATRIX_SEED=${seed}`);
});
