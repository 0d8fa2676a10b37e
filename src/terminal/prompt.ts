// Questions to a person. Each names the flag that answers it, for those who cannot be asked: a pipe, CI, --no-input.

import { confirm, input, password, select } from '@inquirer/prompts';
import type { Streams } from '../world/world.ts';
import { safeLine } from './safe.ts';
import { typedText } from './typed-text.ts';

export interface Choice<T> {
  readonly name: string;
  readonly value: T;
}

export interface Prompt {
  confirm(question: string): Promise<boolean>;
  select<T>(question: string, choices: readonly Choice<T>[]): Promise<T>;
  /** Visible text. Nothing where the signal ended the question. */
  text(question: string, options?: TextOptions): Promise<string>;
  /** Hidden text. */
  secret(question: string): Promise<string>;
}

export interface TextOptions {
  readonly check?: (text: string) => true | string;
  /** In the place of a check: what is wrong with the text so far, in a few words, said while it is typed. */
  readonly remark?: (text: string) => string | undefined;
  readonly signal?: AbortSignal;
}

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

/** `ended`: whatever question stands then is over, and throws. */
export function createPrompt(streams: Streams, inColour: boolean, ended: AbortSignal): Prompt {
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

  return {
    confirm: (question) =>
      asked((context) => confirm({ message: safeLine(question), default: false, theme }, context)),
    select: (question, choices) =>
      asked((context) =>
        select(
          {
            message: safeLine(question),
            choices: choices.map(({ name, value }) => ({ name: safeLine(name), value })),
            pageSize: 12,
            loop: false,
            theme,
          },
          context,
        ),
      ),
    text: (question, { check, remark, signal } = {}) =>
      asked((context) => {
        const message = safeLine(question);
        if (remark) return typedText({ message, remark, theme }, context);
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

class EndOfInput extends Error {}

/** True for what a question throws when the person pressed Ctrl-C or Ctrl-D. */
export function wasInterrupted(error: unknown): boolean {
  return error instanceof EndOfInput || (error instanceof Error && error.name === 'ExitPromptError');
}
