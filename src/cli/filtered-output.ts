// Standard output with --jq: runs the filter on each JSON document that a command prints, and prints the results. Every
// command goes through here, so that none can print unfiltered output. See docs/decisions/jq.md.

import { Failure, usageError } from '#failure.ts';
import { sanitizeJson, sanitizeLines } from '#terminal/sanitize.ts';
import { forwardOutput } from '#terminal/unread-output.ts';
import type { JqFilter, JqResults, Output, World } from '#world/world.ts';
import { countOf } from './count-of.ts';

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
      `--jq: ${environment} is empty: a filter gets no environment variables`,
      'Give it a value with --arg NAME=VALUE, and write $NAME in the filter.',
    );
  const filter = await world.jq.compile(expression, world.process.self, variables);
  if ('invalid' in filter)
    throw usageError(
      `--jq: ${JSON.stringify(expression)} is not a jq filter`,
      "Check its quotes and brackets; for example: --jq '.[].id'",
      filter.invalid,
    );
  const isOfEach = eachElement.test(expression) && !/\bhalt/.test(codeOf(expression));
  return filterOutput(filter, output, errors, isOfEach);
}

/** `.[]`, perhaps a path, and a pipe or nothing more: the results of an element are the same without the rest of the list. */
const eachElement = /^\s*\.\[\](?:\.[A-Za-z_]\w*|\[\]|\?)*\s*(?:\|(?!=)|$)/;

/** The `$ENV` or `env` with which a filter reads the environment: not quoted, a member, a key, or the filter's own function. */
function environmentIn(filter: string): string | undefined {
  const code = codeOf(filter);
  if (/\$ENV\b/.test(code)) return '$ENV';
  const isDefined = /\bdef\s+env\s*:/.test(code);
  return !isDefined && /(?<![\w$@.:]|[.{,]\s*)env\b(?!\s*[:(])/.test(code) ? 'env' : undefined;
}

/** The filter without quoted text and comments, but with the code in \(...). */
function codeOf(filter: string): string {
  let code = '';
  let isText = false;
  let depth = 0;
  const outerDepths: number[] = [];
  for (let index = 0; index < filter.length; index++) {
    const character = filter.charAt(index);
    if (isText) {
      if (character === '\\' && filter.charAt(++index) === '(') {
        outerDepths.push(depth);
        depth = 0;
        isText = false;
      } else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === '#') index += filter.slice(index).search(/\n|$/);
    else if (character === ')' && depth === 0 && outerDepths.length > 0) {
      depth = outerDepths.pop() ?? 0;
      isText = true;
    } else {
      if (character === '(') depth++;
      if (character === ')') depth--;
      code += character;
    }
    if (isText) code += ' ';
  }
  return code;
}

interface StrictWrite {
  readonly document: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** `isOfEach`: the filter gets a list page by page. */
function filterOutput(filter: JqFilter, output: Output, errors: Output, isOfEach: boolean) {
  /** The pieces of a document that continues: a write that ends with a line break ends its document. */
  let pieces: string[] = [];
  let waiting: string[] = [];
  let strictWrites: StrictWrite[] = [];
  let failure: Failure | undefined;
  /** Its other pages are left out, as the rest of a list in one piece. */
  let hasListFailed = false;
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();

  const printNotes = (notes: string) => errors.write(`${errors.isTerminal ? sanitizeLines(notes) : notes}\n`);
  const print = async ({ lines, notes, error, isInvalidJson }: JqResults): Promise<void> => {
    if (isStopped) return;
    if (lines.length > 0) await output.write(`${lines.map((line) => toLine(output, line)).join('\n')}\n`);
    if (notes !== '') await printNotes(notes);
    if (error === undefined) return;
    failure ??= filterFailure(error, isInvalidJson);
    hasListFailed = true;
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
  const filterPage = (text: string): Promise<void> => {
    if (text.startsWith('[')) hasListFailed = false;
    if (!text.endsWith('\n') && !hasListFailed) waiting.push(`[${text.slice(1)}]`);
    return filterAll();
  };
  const filterStrictly = async (documents: readonly string[]): Promise<void> => {
    const results = await filter.run(documents.join('\n'));
    if (isStopped) throw new Error('it was ended');
    const { error, hasEnded, lines, notes } = results;
    if (error === undefined) return print(results);
    if (hasEnded) throw new Error(error);
    const omitted = countOf(lines.length, 'result, which is', 'results, which are');
    const after = lines.length === 0 ? '' : ` after ${omitted} not printed`;
    throw new FilterFailedError(`the filter of --jq failed${after}: ${error}`, notes);
  };
  /** Filters them together; if that fails, one by one, so that each writer learns the outcome of its document. */
  const filterStrict = async (): Promise<void> => {
    const writes = strictWrites;
    strictWrites = [];
    if (writes.length === 0) return;
    /** False if the filter failed for several writes, which are not settled. */
    const settle = async (batch: readonly StrictWrite[]): Promise<boolean> => {
      try {
        await filterStrictly(batch.map(({ document }) => document));
        for (const { resolve } of batch) resolve();
      } catch (thrown) {
        if (thrown instanceof FilterFailedError) {
          if (batch.length > 1) return false;
          if (thrown.notes !== '') await printNotes(thrown.notes);
        }
        for (const { reject } of batch) reject(thrown);
      }
      return true;
    };
    if (!(await settle(writes))) for (const write of writes) await settle([write]);
  };

  return {
    output: forwardOutput(output, {
      write(text, options) {
        // A body as it came, which no filter reads.
        if (typeof text !== 'string') return output.write(text);
        if (isOfEach && options?.isPartOfList) return filterPage(text);
        pieces.push(text);
        if (!text.endsWith('\n')) return Promise.resolve();
        const document = pieces.join('');
        pieces = [];
        if (options?.rejectsFilterFailure)
          return new Promise((resolve, reject) => {
            strictWrites.push({ document, resolve, reject });
            running = running.catch(() => {}).then(filterStrict);
          });
        waiting.push(document);
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
      if (pieces.length > 0) waiting.push(pieces.join(''));
      try {
        await filterAll();
      } finally {
        await filter.stop();
      }
      return failure;
    },
    async stop() {
      isStopped = true;
      await filter.stop();
    },
  };
}

/** The world's interface defines the name. */
class FilterFailedError extends Error {
  override readonly name = 'FilterFailed';
  readonly notes: string;

  constructor(message: string, notes: string) {
    super(message);
    this.notes = notes;
  }
}

/** As world/jq-worker.ts reports it. */
const outOfMemory = 'ran out of memory';

function filterFailure(error: string, isInvalidJson: boolean): Failure {
  const message = 'This command does not print JSON, so --jq cannot filter its output';
  if (isInvalidJson) return new Failure('other', { message, why: error });
  const hint = error.includes(outOfMemory)
    ? 'jq holds a list as a whole. To filter it page by page, begin the filter with .[] and a pipe; to read less, give --limit.'
    : 'The command did its work. To see what the filter gets, run a command that reads with --json.';
  return new Failure('other', { message: 'The filter of --jq failed', why: error, hint });
}

function toLine(output: Output, line: string): string {
  if (!output.isTerminal) return line;
  return /^[[{]/.test(line) ? sanitizeJson(line) : sanitizeLines(line);
}
