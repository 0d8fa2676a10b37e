// Shows prompts on a terminal that can move the cursor.

import type { Streams, TerminalInput } from '#world/world.ts';
import { createKeyInput, type KeyInput } from './key-input.ts';
import { type ParsedKeystrokes, parseKeystrokes, startsPaste } from './keystrokes.ts';
import { clearedLine } from './line-drawing.ts';
import type { Row } from './picker/entry.ts';
import { initialQuery } from './picker/keys.ts';
import { pickerQuestion, type Screen } from './picker-question.ts';
import { createQuestions, EndOfInput, type Prompt, type PromptOptions, typeAheadDropped } from './prompt.ts';
import { sanitizeLine } from './sanitize.ts';
import { unchanged } from './style.ts';
import { textQuestion } from './text-question.ts';

/** The package's theme without colours: the package ignores --no-color and, on Node 20, NO_COLOR. */
const plainTheme = {
  prefix: { idle: '?', done: '✔' },
  style: {
    answer: unchanged,
    message: unchanged,
    error: (text: string) => `> ${text}`,
    help: unchanged,
    highlight: unchanged,
  },
};

/** What the user entered before a question appeared. */
interface TypeAhead extends ParsedKeystrokes {
  readonly source: string;
}

export function createPrompt(
  streams: Streams,
  { inColour, inAscii, ended, clock, processes }: PromptOptions,
  typing: TerminalInput,
): Prompt {
  // Questions go to the stream that the user sees even if the result is redirected.
  const output = streams.errors.isTerminal ? streams.errors.raw : streams.output.raw;
  const theme = { ...(inColour ? {} : plainTheme), ...(inAscii ? { prefix: '?' } : {}) };
  const screen: Screen = {
    size: () => ({ columns: numberIn(output, 'columns') ?? 80, rows: numberIn(output, 'rows') ?? 24 }),
    onResize(listener) {
      output.on('resize', listener);
      return () => void output.off('resize', listener);
    },
  };
  const write = (text: string) => void output.write(text);
  const shared = { write, columns: () => screen.size().columns, theme };

  /** `ask` draws the question. It gets all input from then on. */
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
      // Drawn in the same turn in which the type-ahead ended: later input may be an answer.
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
    const source = await typing.takePending();
    if (source.includes('\x03') || source.includes('\x04')) throw new EndOfInput();
    // Remove its echo.
    if (source !== '') output.write(clearedLine);
    return { ...parseKeystrokes(source), source };
  }

  /** Asks a question that the user must see before answering. */
  const askWithoutTypeAhead: Parameters<typeof createQuestions>[0]['askWithoutTypeAhead'] = (
    question,
    { validate, isHidden = false },
  ) =>
    runQuestion(
      (context, keyInput, { source }) => {
        const note = source === '' ? undefined : typeAheadDropped;
        const config = { ...shared, message: sanitizeLine(question), validate, isHidden, isLive: !isHidden };
        return textQuestion({ ...config, keyInput, note }, context);
      },
      (keyInput, { rest }) => keyInput.start(rest, startsPaste(rest)),
    );

  const pickRows = (question: string, rows: readonly Row[], multiple: boolean) => {
    const config = { message: sanitizeLine(question), rows, multiple, inAscii, screen, write, theme };
    return runQuestion(
      (context, keyInput, { keystrokes }) =>
        pickerQuestion({ ...config, keyInput, initialQuery: initialQuery(keystrokes) }, context),
      (keyInput, { rest }) => keyInput.start(rest),
    );
  };

  return {
    ...createQuestions({ askWithoutTypeAhead, pickRows }),
    async text(question, { initial, validate = () => undefined, isLive = false, signal, remark } = {}) {
      // Live: the next paste must not join an invalid text.
      const config = { ...shared, message: sanitizeLine(question), validate, isLive };
      let cancelRemark = () => {};
      try {
        return await runQuestion(
          (context, keyInput, { source }) =>
            // Type-ahead is an answer of its own, not the end of the initial text.
            textQuestion({ ...config, keyInput, initial: source === '' ? initial : undefined }, context),
          (keyInput, { source }) => {
            keyInput.start(source);
            if (remark) cancelRemark = clock.after(remark.afterMs, () => keyInput.showRemark(remark.text));
          },
          signal,
        );
      } finally {
        cancelRemark();
      }
    },
  };
}

interface Context {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

function numberIn(stream: object, name: string): number | undefined {
  const value: unknown = name in stream ? Reflect.get(stream, name) : undefined;
  // A terminal that does not know its size reports 0.
  return typeof value === 'number' && value > 0 ? value : undefined;
}

/** True for the error of a question that ended with Ctrl-C, Ctrl-D, or an Esc that cancels. */
export function wasInterrupted(error: unknown): boolean {
  return error instanceof EndOfInput || (error instanceof Error && error.name === 'ExitPromptError');
}
