// Questions to a person. Each names the flag that answers it, for those who cannot be asked: a pipe, CI, --no-input.

import type { Streams, TerminalInput } from '../world/world.ts';
import { createFeed, type Feed } from './feed.ts';
import { lineQuestion } from './line.ts';
import { pickRows, type Screen } from './live.ts';
import { type Entry, toRows } from './picker/entry.ts';
import { typedBefore } from './picker/typed-before.ts';
import { dropped, EndOfInput, type Prompt, type PromptOptions } from './questions.ts';
import { safeLine } from './safe.ts';
import { isPasteBegun, type Stroke, strokesIn } from './strokes.ts';
import { readYes } from './yes.ts';

/** The looks of the package, less its colours: it asks neither --no-color nor, on Node 20, NO_COLOR. */
const plain = {
  prefix: { idle: '?', done: '✔' },
  style: {
    answer: asIs,
    message: asIs,
    error: (text: string) => `> ${text}`,
    defaultAnswer: (text: string) => `(${text})`,
    help: asIs,
    highlight: asIs,
    disabled: asIs,
    description: asIs,
    keysHelpTip: (keys: [key: string, action: string][]) => keys.map((one) => one.join(' ')).join(' • '),
  },
};

function asIs(text: string): string {
  return text;
}

/** What was typed before a question stood there. */
interface Before {
  readonly strokes: readonly Stroke[];
  /** The beginning of a key or a paste whose end is still to come. */
  readonly rest: string;
  readonly typed: string;
}

export function createPrompt(
  streams: Streams,
  { inColour, ended, clock, processes }: PromptOptions,
  typing: TerminalInput,
): Prompt {
  // Questions go where a person looks but a redirected result does not.
  const output = streams.errors.isTerminal ? streams.errors.raw : streams.output.raw;
  const theme = inColour ? {} : plain;
  const screen: Screen = {
    size: () => ({ columns: numberIn(output, 'columns') ?? 80, rows: numberIn(output, 'rows') ?? 24 }),
    onResize(listener) {
      output.on('resize', listener);
      return () => void output.off('resize', listener);
    },
  };
  const write = (text: string) => void output.write(text);
  const onScreen = { write, columns: () => screen.size().columns, theme };

  /** `ask` draws the question; then what comes from the terminal is for it. */
  async function asked<T>(
    ask: (context: Context, feed: Feed, before: Before) => Promise<T>,
    begin: (feed: Feed, before: Before) => void,
    signal?: AbortSignal,
  ): Promise<T> {
    const end = new AbortController();
    const leave = () => end.abort();
    const feed = createFeed({ typing, clock, processes, leave });
    try {
      const before = await takeTyped();
      const signals = [ended, end.signal, ...(signal ? [signal] : [])];
      // It is drawn in the same turn in which the terminal had nothing more: what comes later may be an answer.
      const answer = ask({ input: feed.input, output, signal: AbortSignal.any(signals) }, feed, before);
      begin(feed, before);
      return await answer;
    } catch (error) {
      throw end.signal.aborted ? new EndOfInput() : error;
    } finally {
      feed.end();
    }
  }

  async function takeTyped(): Promise<Before> {
    const typed = await typing.takePending();
    if (typed.includes('\x03') || typed.includes('\x04')) throw new EndOfInput();
    // Its echo.
    if (typed !== '') output.write('\r\x1b[K');
    return { ...strokesIn(typed), typed };
  }

  /** Nothing that was typed before it was seen is an answer to such a question. */
  const afresh = (feed: Feed, { rest }: Before) => feed.start(rest, { skipsPaste: isPasteBegun(rest) });
  const noteOn = ({ typed }: Before) => (typed === '' ? undefined : dropped);

  async function pickFrom<T>(
    question: string,
    entries: readonly Entry<T>[],
    several: boolean,
  ): Promise<readonly T[]> {
    const config = { message: safeLine(question), rows: toRows(entries), several, screen, write, theme };
    const picked = await asked(
      (context, feed, { strokes }) => pickRows({ ...config, feed, typed: typedBefore(strokes) }, context),
      (feed, { rest }) => feed.start(rest),
    );
    return entries.flatMap(({ value }, at) => (picked.includes(at) ? [value] : []));
  }

  return {
    async confirm(question) {
      const message = `${safeLine(question)} (y/N)`;
      const remark = (text: string) => (readYes(text) === undefined ? 'Type y or n' : undefined);
      const answer = await asked(
        (context, feed, before) =>
          lineQuestion({ ...onScreen, message, feed, remark, isLive: true, note: noteOn(before) }, context),
        afresh,
      );
      return readYes(answer) === true;
    },
    async pick(question, entries) {
      for (const picked of await pickFrom(question, entries, false)) return picked;
      throw new Error('Nothing was picked');
    },
    pickSeveral: (question, entries) => pickFrom(question, entries, true),
    text: (question, { check, remark, signal } = {}) => {
      const checked = (text: string) => {
        const said = check?.(text) ?? true;
        return said === true ? undefined : said;
      };
      const config = { ...onScreen, message: safeLine(question), remark: remark ?? checked };
      return asked(
        // What is pasted next must not be joined to what was wrong.
        (context, feed) => lineQuestion({ ...config, feed, isLive: remark !== undefined }, context),
        (feed, { typed }) => feed.start(typed),
        signal,
      );
    },
    secret: (question) => {
      const remark = (text: string) => (text === '' ? 'Needed' : undefined);
      const config = { ...onScreen, message: safeLine(question), remark, isHidden: true, isLive: false };
      return asked(
        (context, feed, before) => lineQuestion({ ...config, feed, note: noteOn(before) }, context),
        afresh,
      );
    },
  };
}

interface Context {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

function numberIn(of: object, name: string): number | undefined {
  const value: unknown = name in of ? Reflect.get(of, name) : undefined;
  // A terminal that does not know its size says 0.
  return typeof value === 'number' && value > 0 ? value : undefined;
}

/** True for what a question throws when the person pressed Ctrl-C, Ctrl-D, or Esc where it leaves. */
export function wasInterrupted(error: unknown): boolean {
  return error instanceof EndOfInput || (error instanceof Error && error.name === 'ExitPromptError');
}
