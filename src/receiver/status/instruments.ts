// What counts: a counter for each combination of label values that has occurred, and a histogram.

import { formatNumber, type Labels, type Sample } from './prometheus-text.ts';

export class Counter {
  readonly #counts = new Map<string, { readonly labels: Labels; value: number }>();

  /** `initial`: combinations that are shown as 0 before they occur, so that the first occurrence is an increase. */
  constructor(initial: readonly Labels[] = []) {
    for (const labels of initial) this.add(labels, 0);
  }

  /** The caller limits how many combinations there are. */
  add(labels: Labels, amount = 1): void {
    const key = JSON.stringify(labels);
    const found = this.#counts.get(key);
    if (found) found.value += amount;
    else this.#counts.set(key, { labels, value: amount });
  }

  samples(): readonly Sample[] {
    return [...this.#counts.values()].map(({ labels, value }) => ({ labels, value }));
  }
}

export class Histogram {
  readonly #buckets: { readonly bound: number; count: number }[];
  #sum = 0;

  /** `bounds`: the highest value of each bucket, ascending. */
  constructor(bounds: readonly number[]) {
    this.#buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound) => ({ bound, count: 0 }));
  }

  observe(value: number): void {
    this.#sum += value;
    const bucket = this.#buckets.find(({ bound }) => value <= bound);
    if (bucket) bucket.count += 1;
  }

  /** Each bucket counts those below it too. */
  samples(): readonly Sample[] {
    let count = 0;
    const buckets = this.#buckets.map((bucket): Sample => {
      count += bucket.count;
      return { suffix: '_bucket', labels: { le: formatNumber(bucket.bound) }, value: count };
    });
    return [...buckets, { suffix: '_sum', value: this.#sum }, { suffix: '_count', value: count }];
  }
}
