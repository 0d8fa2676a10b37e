// Questions to a person. Each names the flag that answers it, for those who cannot be asked: a pipe, CI, --no-input.

import { input, password } from '@inquirer/prompts';
import type { Streams } from '../world/world.ts';
import { pickRows, type Screen, typedText } from './live.ts';
import { type Entry, toRows } from './picker/entry.ts';
import { typedBefore } from './picker/typed-before.ts';
import type { Prompt, PromptOptions } from './questions.ts';
import { safeLine } from './safe.ts';
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

export function createPrompt(streams: Streams, { inColour, ended, onContinue }: PromptOptions): Prompt {
  // Questions go where a person looks but a redirected result does not.
  const output = streams.errors.isTerminal ? streams.errors.raw : streams.output.raw;
  const { raw: terminal } = streams.input;
  const theme = inColour ? {} : plain;

  /** Ctrl-D closes the line that a question waits for, and the package would wait on, until the process runs dry. */
  async function asked<T>(ask: (context: Context) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const end = new AbortController();
    const hear = (_text: unknown, key: { ctrl?: boolean; name?: string } | undefined) => {
      if (key?.ctrl && key.name === 'd') end.abort();
    };
    terminal.on('keypress', hear);
    try {
      return await ask({
        input: terminal,
        output,
        signal: AbortSignal.any([...(signal ? [signal] : []), ended, end.signal]),
      });
    } catch (error) {
      throw end.signal.aborted ? new EndOfInput() : error;
    } finally {
      terminal.off('keypress', hear);
    }
  }

  /** What was typed before the question stood there; its echo is taken off the screen. */
  async function takeTyped(): Promise<string> {
    const typed = await streams.input.takeTyped();
    if (typed.includes('\x03') || typed.includes('\x04')) throw new EndOfInput();
    if (typed !== '') output.write('\r\x1b[K');
    return typed;
  }

  const screen: Screen = {
    size: () => ({ columns: numberIn(output, 'columns') ?? 80, rows: numberIn(output, 'rows') ?? 24 }),
    write: (text) => void output.write(text),
    onResize(listener) {
      output.on('resize', listener);
      return () => void output.off('resize', listener);
    },
    onContinue,
    takeBack() {
      if (!('setRawMode' in terminal) || typeof terminal.setRawMode !== 'function') return;
      // It would not do again what it believes to be so.
      terminal.setRawMode(false);
      terminal.setRawMode(true);
    },
  };

  async function pickFrom<T>(
    question: string,
    entries: readonly Entry<T>[],
    several: boolean,
  ): Promise<readonly T[]> {
    const typed = typedBefore(await takeTyped());
    const picked = await asked((context) =>
      pickRows(
        { message: safeLine(question), rows: toRows(entries), several, typed, screen, theme },
        context,
      ),
    );
    return entries.flatMap(({ value }, at) => (picked.includes(at) ? [value] : []));
  }

  return {
    async confirm(question) {
      // Nothing that was typed before it was seen is an answer to it.
      await takeTyped();
      const answer = await asked((context) =>
        typedText(
          {
            message: `${safeLine(question)} (y/N)`,
            remark: (text) => (readYes(text) === undefined ? 'Type y or n' : undefined),
            afresh: true,
            columns: () => screen.size().columns,
            theme,
          },
          context,
        ),
      );
      return readYes(answer) === true;
    },
    async pick(question, entries) {
      for (const picked of await pickFrom(question, entries, false)) return picked;
      throw new Error('Nothing was picked');
    },
    pickSeveral: (question, entries) => pickFrom(question, entries, true),
    text: (question, { check, remark, signal } = {}) =>
      asked((context) => {
        const message = safeLine(question);
        if (remark)
          return typedText({ message, remark, columns: () => screen.size().columns, theme }, context);
        // What is pasted next must not be joined to what was wrong.
        const pasted = { ...theme, validationFailureMode: 'clear' } as const;
        return input({ message, ...(check ? { validate: check } : {}), theme: pasted }, context);
      }, signal),
    secret: (question) =>
      asked((context) =>
        password(
          { message: safeLine(question), mask: '*', theme, validate: (text) => text !== '' || 'Needed' },
          context,
        ),
      ),
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

class EndOfInput extends Error {}

/** True for what a question throws when the person pressed Ctrl-C or Ctrl-D. */
export function wasInterrupted(error: unknown): boolean {
  return error instanceof EndOfInput || (error instanceof Error && error.name === 'ExitPromptError');
}
