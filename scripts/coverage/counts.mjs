// Reads how often V8 says that a place of a script was run.

/**
 * `ranges`: V8's own, `[start, end, count]` of every function and of the blocks in it, in any order. They nest, and the
 * innermost one tells the count of a place. Gives a function from an offset to a count.
 */
export function countsOf(ranges) {
  const sorted = ranges.toSorted(([a, b], [c, d]) => a - c || d - b);
  const starts = [];
  const counts = [];
  const open = [];
  const put = (at, count) => {
    if (starts.at(-1) === at) counts[counts.length - 1] = count;
    else {
      starts.push(at);
      counts.push(count);
    }
  };
  const closeUntil = (at) => {
    while (open.length > 0 && open.at(-1)[1] <= at) {
      const [, end] = open.pop();
      put(end, open.at(-1)?.[2] ?? 0);
    }
  };
  for (const range of sorted) {
    closeUntil(range[0]);
    put(range[0], range[2]);
    open.push(range);
  }
  closeUntil(Number.POSITIVE_INFINITY);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : counts[low - 1];
  };
}
