// Which mutants a run tries: all of those in the scope, or a random sample that a seed repeats, or a slice of either.

import { readdir, readFile } from 'node:fs/promises';
import { slashed } from '../choose-tests.mjs';
import { listMutants } from './mutants.mjs';

/** What must be right for the program to keep its promises. The emulator's sample is data. */
const scope = /^(?:contract|client|login|bulk|emulator)\/(?!(?:.*\/)?sample)/;

/** A generator of numbers from 0 to 1 that a seed determines (mulberry32). */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** `count` of the `items`, every choice as likely as any other, in random order. */
export function sampleOf(items, count, seed) {
  const random = randomNumbers(seed);
  const shuffled = [...items];
  for (let at = shuffled.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [shuffled[at], shuffled[other]] = [shuffled[other], shuffled[at]];
  }
  return shuffled.slice(0, count);
}

/** All mutants of the scope, or of the files whose path has one of `parts` in it, numbered over all of them. */
export async function allMutants(root, parts) {
  const files = (await readdir(`${root}src`, { recursive: true }))
    .map(slashed)
    .filter((file) => file.endsWith('.ts'))
    .filter((file) =>
      parts.length === 0 ? scope.test(file) : parts.some((part) => `src/${file}`.includes(part)),
    )
    .sort();
  const mutants = [];
  for (const file of files) {
    const source = await readFile(`${root}src/${file}`, 'utf8');
    for (const mutant of listMutants(source)) {
      const original = source.slice(mutant.start, mutant.end);
      mutants.push({ ...mutant, original, file: `src/${file}`, id: mutants.length });
    }
  }
  return mutants;
}

/** Slice 3 of 8 has every eighth, from the third on. */
export function sliceOf(mutants, slice) {
  const [, number, of] = /^(\d+)\/(\d+)$/.exec(slice) ?? [];
  if (of === undefined || Number(number) < 1 || Number(number) > Number(of)) {
    throw new Error(`--slice ${slice}: expected N/M with N from 1 to M, as in 3/8`);
  }
  return mutants.filter((_, at) => at % Number(of) === Number(number) - 1);
}

/**
 * Those of the results of an earlier run that no test killed, as they are now; at another line if lines were added above. A
 * time limit may have come from other work on the machine, so what it ended is tried again too.
 */
export function survivorsOf(mutants, results) {
  const chosen = new Set();
  for (const { outcome, file, original, replacement, line } of results) {
    if (outcome === 'killed' || outcome === 'rejected-by-types') continue;
    const same = mutants.filter(
      (one) =>
        one.file === file && one.original === original && one.replacement === replacement && !chosen.has(one),
    );
    const [nearest] = same.toSorted((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line));
    if (nearest !== undefined) chosen.add(nearest);
  }
  return [...chosen];
}
