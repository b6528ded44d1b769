#!/usr/bin/env node
// Shapes, in JavaScript.
import def, { a, b as c } from './mod.js';
import * as ns from "ns";
import './effect.js';
const fs = require('fs');

/** A thing with an area. */
export class Shape extends Base {
  #side = 0;
  static count = 0;
  handler = () => 1;
  constructor(side) { super(); }
  get area() { return this.#side; }
  static make() { const local = 1; return local; }
  #secret() {}
  async *each() {}
  ['computed']() {}
}

export const LIMIT = 8, OTHER = 9;
let counter = 0;
var old;

// Adds.
export function add(a, b) {
  function inner() {}
  const arrow = (x) => x;
  return arrow(a) + b;
}

function* generate() {}
const arrow = async (x) => x;
const Named = class {};
const api = {
  method() {},
  property: function () {},
  'quoted-name': () => 1,
};
Shape.prototype.grow = function (by) {};
exports.helper = function helperName() {};
module.exports = { add, renamed: arrow };

export { arrow as default, counter };
export * from './all.js';
export * as everything from './every.js';
export { x as y } from './xy.js';
const lazy = () => import('./lazy.js');
