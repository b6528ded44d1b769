import type { A } from './a';
import fs = require('fs');
import { B } from "b";

/** What has an area. */
export interface Area<T> extends Base {
  readonly side: T;
  area(): number;
  new (side: T): Area<T>;
}

export type Pair<T> = [T, T];
export enum Colour { Red, Green = 'green' }
const enum Small { One }

@Component({ a: 1 })
export abstract class Shape implements Area<number> {
  private static count = 0;
  protected readonly side: number;
  handler = (): void => {};
  constructor(private readonly name: string, public size?: number) {}
  abstract area(): number;
  // Two ways to call it.
  grow(by: number): this;
  grow(by: string): this;
  grow(by: any): this { return this; }
  @Input() set value(v: number) {}
  #hidden(): void {}
}

export namespace geo.plane {
  export const limit = 8;
  export function inside(): boolean { return true; }
}

declare module 'other' {
  export function declared(x: number): string;
}
declare const VERSION: string;
declare global { interface Window { lode: string } }

export function over(a: string): void;
export function over(a: any): void {}
export = Shape;
