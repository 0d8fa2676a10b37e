// Command lines as tests write them, and what a command prints for programs, taken apart.

/** The words of a command line; of one with quotes, a test gives the words. */
export const wordsOf = (typed: string | readonly string[]): readonly string[] =>
  typeof typed === 'string' ? (typed.match(/\S+/g) ?? []) : typed;

const linesOf = (output: string) => output.split('\n').filter((line) => line !== '');

/** The cells of each line. */
export const rowsOf = (output: string): string[][] => linesOf(output).map((line) => line.split('\t'));

/** The first cell of each line. */
export const firstCells = (output: string) => rowsOf(output).map(([cell]) => cell);

/** One for each line. */
export const objectsIn = (output: string) => linesOf(output).map((line) => JSON.parse(line));
