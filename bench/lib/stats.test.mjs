import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { digits, median, pairedRatios, spread } from './stats.mjs';

describe('median', () => {
  it('is the middle, or the mean of the two in the middle', () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 3, 2]), 2.5);
    assert.ok(Number.isNaN(median([])));
  });
});

describe('spread', () => {
  it('leaves out what is no number', () => {
    assert.deepEqual(spread([2, NaN, 1, 9]), { median: 2, low: 1, high: 9, count: 3 });
  });
});

describe('pairedRatios', () => {
  const sample = (repeat, cost) => ({ repeat, cost });

  it('divides within a repeat only', () => {
    const above = [sample(0, 10), sample(1, 40), sample(3, 1)];
    const below = [sample(1, 20), sample(0, 10), sample(2, 1)];
    assert.deepEqual(pairedRatios(above, below, 'cost'), [1, 2]);
  });

  it('takes the median of several samples of a repeat', () => {
    const above = [sample(0, 10), sample(0, 30), sample(0, 1000)];
    assert.deepEqual(pairedRatios(above, [sample(0, 10)], 'cost'), [3]);
  });
});

describe('digits', () => {
  it('shows three of them', () => {
    assert.deepEqual([0, 0.0421, 1.2345, 98.76, 1234.5, NaN].map(digits),
      ['0', '0.042', '1.23', '98.8', '1,235', '–']);
  });
});
