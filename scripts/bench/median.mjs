// Shared by the parts of the benchmark: medians, and builds measured in turn, each of them first equally often.

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Runs each in turn, in an order that rotates each round. Returns the results in the order of `runs`. */
export async function inTurn(round, runs) {
  const results = [];
  for (let step = 0; step < runs.length; step++) {
    const at = (round + step) % runs.length;
    results[at] = await runs[at]();
  }
  return results;
}

/** The median ratio of `mine` to `theirs`, pair by pair. */
export const ratioOf = (mine, theirs) => median(mine.map((value, at) => value / theirs[at]));

/** Runs each once per round, in turn, and returns what each took. */
export async function takeRounds(rounds, runs) {
  const taken = runs.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [at, one] of (await inTurn(round, runs)).entries()) taken[at].push(one);
  return taken;
}

/** Prints cells in columns of one width. The first column has the width of the names. */
export function printRow([name, ...cells]) {
  process.stdout.write(`${name.padEnd(34)}${cells.map((cell) => cell.padStart(12)).join('')}`.trimEnd());
  process.stdout.write('\n');
}
