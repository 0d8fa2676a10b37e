// Prompts on a terminal. Each names the flag that answers it, for runs without prompts: a pipe, CI, --no-input.

import type { Streams, TerminalInput } from '#world/world.ts';
import { createKeyInput, type KeyInput } from './key-input.ts';
import { type Keystroke, parseKeystrokes, startsPaste } from './keystrokes.ts';
import { type Entry, toRows } from './picker/entry.ts';
import { initialQuery } from './picker/keys.ts';
import { pickerQuestion, type Screen } from './picker-question.ts';
import {
  type Answer,
  askYesNo,
  EndOfInput,
  type Prompt,
  type PromptOptions,
  parseAnswer,
  typeAheadDropped,
  whichAnswers,
} from './prompt.ts';
import { sanitizeLine } from './sanitize.ts';
import { textQuestion } from './text-question.ts';

/** The looks of the package, less its colours: it asks neither --no-color nor, on Node 20, NO_COLOR. */
const plainTheme = {
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
interface TypeAhead {
  readonly keystrokes: readonly Keystroke[];
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
  const theme = inColour ? {} : plainTheme;
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
  async function runQuestion<T>(
    ask: (context: Context, keyInput: KeyInput, before: TypeAhead) => Promise<T>,
    begin: (keyInput: KeyInput, before: TypeAhead) => void,
    signal?: AbortSignal,
  ): Promise<T> {
    const end = new AbortController();
    const cancel = () => end.abort();
    const keyInput = createKeyInput({ typing, clock, processes, cancel });
    try {
      const before = await takeTypeAhead();
      const signals = [ended, end.signal, ...(signal ? [signal] : [])];
      // It is drawn in the same turn in which the terminal had nothing more: what comes later may be an answer.
      const answer = ask(
        { input: keyInput.input, output, signal: AbortSignal.any(signals) },
        keyInput,
        before,
      );
      begin(keyInput, before);
      return await answer;
    } catch (error) {
      throw end.signal.aborted ? new EndOfInput() : error;
    } finally {
      keyInput.close();
    }
  }

  async function takeTypeAhead(): Promise<TypeAhead> {
    const typed = await typing.takePending();
    if (typed.includes('\x03') || typed.includes('\x04')) throw new EndOfInput();
    // Its echo.
    if (typed !== '') output.write('\r\x1b[K');
    return { ...parseKeystrokes(typed), typed };
  }

  /** Nothing that was typed before it was seen is an answer to such a question. */
  const startWithoutTypeAhead = (keyInput: KeyInput, { rest }: TypeAhead) =>
    keyInput.start(rest, { skipsPaste: startsPaste(rest) });
  const noteFor = ({ typed }: TypeAhead) => (typed === '' ? undefined : typeAheadDropped);

  async function pickFrom<T>(
    question: string,
    entries: readonly Entry<T>[],
    multiple: boolean,
  ): Promise<readonly T[]> {
    const config = { message: sanitizeLine(question), rows: toRows(entries), multiple, screen, write, theme };
    const picked = await runQuestion(
      (context, keyInput, { keystrokes }) =>
        pickerQuestion({ ...config, keyInput, initialQuery: initialQuery(keystrokes) }, context),
      (keyInput, { rest }) => keyInput.start(rest),
    );
    return entries.flatMap(({ value }, at) => (picked.includes(at) ? [value] : []));
  }

  async function confirm(question: string, all?: string): Promise<Answer> {
    const message = askYesNo(sanitizeLine(question), all);
    const parse = (text: string) => parseAnswer(text, all !== undefined);
    const validate = (text: string) => (parse(text) === undefined ? whichAnswers(all) : undefined);
    const answer = await runQuestion(
      (context, keyInput, before) =>
        textQuestion(
          { ...onScreen, message, keyInput, validate, isLive: true, note: noteFor(before) },
          context,
        ),
      startWithoutTypeAhead,
    );
    return parse(answer) ?? false;
  }

  return {
    confirm: async (question) => (await confirm(question)) === true,
    confirmOrAll: confirm,
    async pick(question, entries) {
      for (const picked of await pickFrom(question, entries, false)) return picked;
      throw new Error('Nothing was picked');
    },
    pickSeveral: (question, entries) => pickFrom(question, entries, true),
    async text(question, { validate, validateWhileTyping, signal, remark } = {}) {
      const onEnter = (text: string) => {
        const result = validate?.(text) ?? true;
        return result === true ? undefined : result;
      };
      const config = {
        ...onScreen,
        message: sanitizeLine(question),
        validate: validateWhileTyping ?? onEnter,
      };
      let cancelRemark = () => {};
      try {
        return await runQuestion(
          // What is pasted next must not be joined to what was wrong.
          (context, keyInput) =>
            textQuestion({ ...config, keyInput, isLive: validateWhileTyping !== undefined }, context),
          (keyInput, { typed }) => {
            keyInput.start(typed);
            if (remark) cancelRemark = clock.after(remark.afterMs, () => keyInput.showRemark(remark.text));
          },
          signal,
        );
      } finally {
        cancelRemark();
      }
    },
    secret: (question) => {
      const validate = (text: string) => (text === '' ? 'Required' : undefined);
      const config = {
        ...onScreen,
        message: sanitizeLine(question),
        validate,
        isHidden: true,
        isLive: false,
      };
      return runQuestion(
        (context, keyInput, before) => textQuestion({ ...config, keyInput, note: noteFor(before) }, context),
        startWithoutTypeAhead,
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
