// Standard output with --jq: runs the filter on each JSON document that a command prints, and prints the results. Every
// command goes through here, so that none can print unfiltered output. See docs/decisions/jq.md.

import { Failure, usageError } from '#failure.ts';
import { forwardOutput } from '#terminal/forwarding-output.ts';
import { sanitizeJson, sanitizeLines } from '#terminal/sanitize.ts';
import type { JqFilter, JqResults, Output, World } from '#world/world.ts';

export type FilteredOutput = ReturnType<typeof filterOutput>;

/** @throws {Failure} `usage` for a filter that jq cannot compile. */
export async function createFilteredOutput(
  world: Pick<World, 'jq' | 'process'>,
  { output, errors }: { readonly output: Output; readonly errors: Output },
  expression: string,
  variables: ReadonlyMap<string, string>,
): Promise<FilteredOutput> {
  const environment = environmentIn(expression);
  if (environment !== undefined)
    throw usageError(
      `--jq: ${environment} is empty, since a filter gets no environment`,
      'Give it a value with --arg NAME=VALUE, and write $NAME in the filter.',
    );
  const filter = await world.jq.compile(expression, world.process.self, variables);
  if ('invalid' in filter)
    throw usageError(
      `--jq: ${JSON.stringify(expression)} is not a jq filter`,
      "Check its quotes and brackets; for example: --jq '.[].id'",
      filter.invalid,
    );
  return filterOutput(filter, output, errors);
}

/** The `$ENV` or `env` in a filter that reads the environment, unless it is quoted, a member, a key, or the filter's own function. */
function environmentIn(filter: string): string | undefined {
  const code = codeOf(filter);
  if (/\$ENV\b/.test(code)) return '$ENV';
  const isOwn = /\bdef\s+env\s*:/.test(code);
  return !isOwn && /(?<![\w$@.:]|[.{,]\s*)env\b(?!\s*[:(])/.test(code) ? 'env' : undefined;
}

/** The filter without quoted text and comments, but with the code in \(...). */
function codeOf(filter: string): string {
  let code = '';
  let isText = false;
  let depth = 0;
  const outside: number[] = [];
  for (let at = 0; at < filter.length; at++) {
    const one = filter.charAt(at);
    if (isText) {
      if (one === '\\' && filter.charAt(++at) === '(') {
        outside.push(depth);
        depth = 0;
        isText = false;
      } else if (one === '"') isText = false;
    } else if (one === '"') isText = true;
    else if (one === '#') at += filter.slice(at).search(/\n|$/);
    else if (one === ')' && depth === 0 && outside.length > 0) {
      depth = outside.pop() ?? 0;
      isText = true;
    } else {
      if (one === '(') depth++;
      if (one === ')') depth--;
      code += one;
    }
    if (isText) code += ' ';
  }
  return code;
}

interface StrictWrite {
  readonly documents: readonly string[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function filterOutput(filter: JqFilter, output: Output, errors: Output) {
  const splitter = createDocumentSplitter();
  /** Documents that were not filtered yet. */
  let waiting: string[] = [];
  /** Documents whose writers want to know whether the filter fails. */
  let strict: StrictWrite[] = [];
  let failure: Failure | undefined;
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();

  const printNotes = (notes: string) => errors.write(`${errors.isTerminal ? sanitizeLines(notes) : notes}\n`);
  const print = async ({ lines, notes, error, isNoJson }: JqResults): Promise<void> => {
    if (isStopped) return;
    if (lines.length > 0) await output.write(`${lines.map((line) => toLine(output, line)).join('\n')}\n`);
    if (notes !== '') await printNotes(notes);
    if (error !== undefined) failure ??= filterFailure(error, isNoJson);
  };
  const filterWaiting = async (): Promise<void> => {
    // Filters them together: each run of jq costs a few milliseconds.
    const documents = waiting;
    waiting = [];
    if (documents.length > 0 && !isStopped) await print(await filter.run(documents.join('\n')));
  };
  const filterAll = (): Promise<void> => {
    running = running.then(filterWaiting);
    return running;
  };
  const filterStrictly = async (documents: readonly string[]): Promise<void> => {
    const results = await filter.run(documents.join('\n'));
    if (isStopped) throw new Error('it was ended');
    const { error, hasEnded, lines } = results;
    if (error === undefined) return print(results);
    if (hasEnded) throw new Error(error);
    throw new FilterFailedError(describeError(error, lines.length), results.notes);
  };
  /** Filters them together; if that fails, one by one, so that each writer learns the outcome of its document. */
  const filterStrict = async (): Promise<void> => {
    const writes = strict;
    strict = [];
    if (writes.length === 0) return;
    const settle = async (some: readonly StrictWrite[]) => {
      try {
        await filterStrictly(some.flatMap(({ documents }) => documents));
        for (const { resolve } of some) resolve();
      } catch (thrown) {
        if (thrown instanceof FilterFailedError) {
          if (some.length > 1) return thrown;
          if (thrown.notes !== '') await printNotes(thrown.notes);
        }
        for (const { reject } of some) reject(thrown);
      }
      return undefined;
    };
    if (await settle(writes)) for (const one of writes) await settle([one]);
  };

  return {
    output: forwardOutput(output, {
      write(text, options) {
        const documents = splitter.push(text);
        if (documents.length === 0) return Promise.resolve();
        if (options?.rejectsFilterFailure)
          return new Promise((resolve, reject) => {
            strict.push({ documents, resolve, reject });
            running = running.catch(() => {}).then(filterStrict);
          });
        waiting.push(...documents);
        return filterAll();
      },
      abandon() {
        isStopped = true;
        output.abandon?.();
        void filter.stop();
      },
    }),
    /** Filters the rest. Returns the filter's failure, if any; the command itself continued. */
    async end() {
      const rest = splitter.rest();
      if (rest !== '') waiting.push(rest);
      try {
        await filterAll();
      } finally {
        await filter.stop();
      }
      return failure;
    },
    /** Stops immediately. */
    async stop() {
      isStopped = true;
      await filter.stop();
    },
  };
}

/** The world's interface defines the name. */
class FilterFailedError extends Error {
  override readonly name = 'FilterFailed';
  /** What the filter wrote to standard error before it failed. */
  readonly notes: string;

  constructor(message: string, notes: string) {
    super(message);
    this.notes = notes;
  }
}

function describeError(error: string, results: number): string {
  const before =
    results === 0
      ? ''
      : ` after ${results === 1 ? '1 result, which is' : `${results} results, which are`} not printed`;
  return `the filter of --jq failed${before}: ${error}`;
}

function filterFailure(error: string, isNoJson: boolean): Failure {
  const hint = 'The command did its work. To see what the filter gets, run a command that reads with --json.';
  return isNoJson
    ? new Failure('other', {
        message: 'What this command prints is not JSON, so --jq cannot filter it',
        why: error,
      })
    : new Failure('other', { message: 'The filter of --jq failed', why: error, hint });
}

function toLine(output: Output, line: string): string {
  if (!output.isTerminal) return line;
  return /^[[{]/.test(line) ? sanitizeJson(line) : sanitizeLines(line);
}

const [quote, backslash] = ['"', '\\'].map((one) => one.charCodeAt(0));
const opening = ['[', '{'].map((one) => one.charCodeAt(0));
const closing = [']', '}'].map((one) => one.charCodeAt(0));
const space = ' '.charCodeAt(0);

export function createDocumentSplitter() {
  /** Pieces of the incomplete document. */
  let pieces: string[] = [];
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  /** True within a number or a word, which only white space ends. */
  let inWord = false;

  return {
    /** Returns the documents that this piece completes. */
    push(text: string) {
      const documents: string[] = [];
      let start = 0;
      const end = (at: number) => {
        const whole = [...pieces, text.slice(start, at)].join('').trim();
        if (whole !== '') documents.push(whole);
        pieces = [];
        start = at;
      };
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (inString) {
          if (isEscaped) isEscaped = false;
          else if (code === backslash) isEscaped = true;
          else if (code === quote) {
            inString = false;
            if (depth === 0) end(at + 1);
          }
        } else if (code === quote) inString = true;
        else if (opening.includes(code)) depth++;
        else if (closing.includes(code)) {
          depth = Math.max(0, depth - 1);
          if (depth === 0) end(at + 1);
        } else if (depth === 0) {
          const isWhite = code <= space;
          if (isWhite && inWord) end(at);
          inWord = !isWhite;
        }
      }
      pieces.push(text.slice(start));
      return documents;
    },
    /** The rest: a number at the very end, or an incomplete document. Empty if there is none. */
    rest: () => pieces.join('').trim(),
  };
}
