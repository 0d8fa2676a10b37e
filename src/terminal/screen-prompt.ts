// Shows prompts on a terminal that can move the cursor.

import type { Streams, TerminalInput } from '#world/world.ts';
import { createKeyInput } from './key-input.ts';
import { type ParsedKeystrokes, parseKeystrokes, startsPaste } from './keystrokes.ts';
import { clearedLine } from './line-drawing.ts';
import { askSecret, askText, askYesOrNo, type LineConfig, type QuestionContext } from './line-question.ts';
import { initialQuery } from './picker/keys.ts';
import { createTheme, pickerQuestion, type Screen } from './picker-question.ts';
import { createQuestions, EndOfInput, type Prompt, type PromptOptions, typeAheadDropped } from './prompt.ts';
import { sanitizeLine } from './sanitize.ts';

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
  const screen: Screen = {
    size: () => ({ columns: numberIn(output, 'columns') ?? 80, rows: numberIn(output, 'rows') ?? 24 }),
    onResize(listener) {
      output.on('resize', listener);
      return () => void output.off('resize', listener);
    },
  };
  const write = (text: string) => void output.write(text);
  const columns = () => screen.size().columns;
  const theme = createTheme(inColour, inAscii, columns);

  /** `ask` draws the question and starts its input. */
  async function runQuestion<T>(
    question: string,
    ask: (config: LineConfig, context: QuestionContext, before: TypeAhead) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const end = new AbortController();
    const cancel = () => end.abort();
    const keyInput = createKeyInput({ typing, write, clock, processes, cancel });
    try {
      const before = await takeTypeAhead();
      const signals = [ended, end.signal, ...(signal ? [signal] : [])];
      const config = { message: sanitizeLine(question), keyInput, write, columns, theme };
      const context = { input: keyInput.input, output, signal: AbortSignal.any(signals) };
      // Drawn in the same turn in which the type-ahead ended: later input may be an answer.
      const answer = await ask(config, context, before);
      keyInput.stopDelivery();
      return answer;
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
    if (source !== '') write(clearedLine);
    return { ...parseKeystrokes(source), source };
  }

  /** Asks a question that the user must see before answering. */
  const askWithoutTypeAhead = <T>(
    question: string,
    ask: (config: LineConfig, context: QuestionContext) => Promise<T>,
  ) =>
    runQuestion(question, (config, context, { source, rest }) => {
      if (source !== '') write(`${theme.style.help(`> ${typeAheadDropped}`)}\n`);
      const answer = ask(config, context);
      config.keyInput.start(rest, startsPaste(rest));
      return answer;
    });

  return {
    ...createQuestions({
      askWithoutTypeAhead: (question, { validate, isHidden }) =>
        askWithoutTypeAhead(question, (config, context) =>
          (isHidden ? askSecret : askText)({ ...config, validate, keepsInvalid: true }, context),
        ),
      pickRows: (question, rows, multiple) =>
        runQuestion(question, (config, context, { keystrokes, rest }) => {
          const picker = { ...config, rows, multiple, inAscii, screen };
          const answer = pickerQuestion({ ...picker, initialQuery: initialQuery(keystrokes) }, context);
          config.keyInput.start(rest);
          return answer;
        }),
    }),
    confirm: (question) => askWithoutTypeAhead(question, askYesOrNo),
    text: (
      question,
      { initial = '', validate = () => undefined, keepsInvalid = false, signal, remark } = {},
    ) =>
      runQuestion(
        question,
        (config, context, { source }) => {
          const answer = askText({ ...config, validate, keepsInvalid }, context);
          // Type-ahead is an answer of its own, not the end of the initial text.
          config.keyInput.start(source === '' ? initial : source);
          if (!remark) return answer;
          const showRemark = () => config.keyInput.showRemark(remark.text);
          return answer.finally(clock.after(remark.afterMs, showRemark));
        },
        signal,
      ),
  };
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
