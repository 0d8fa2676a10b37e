// Who is killed when: by chance, but each of them equally often, and the same for the same seed.

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** For each round one of `count`: each of them as often as any other, or once more. */
export function planKills(rounds: number, count: number, random: () => number): readonly number[] {
  const plan = Array.from({ length: rounds }, (_, round) => round % count);
  for (let at = plan.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [plan[at], plan[other]] = [plan[other] ?? 0, plan[at] ?? 0];
  }
  return plan;
}
