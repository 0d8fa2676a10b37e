// Shows prompts on a terminal that can move the cursor.

import type { Streams, TerminalInput } from '#world/world.ts';
import { createKeyInput } from './key-input.ts';
import { parseKeystrokes, startsPaste } from './keystrokes.ts';
import { clearedLine, widthOf } from './line-drawing.ts';
import { askSecret, askText, askYesOrNo } from './line-question.ts';
import { initialQuery } from './picker/keys.ts';
import { createTheme, pickerQuestion, type QuestionConfig } from './picker-question.ts';
import { createQuestions, EndOfInput, type Prompt, type PromptOptions, typeAheadDropped } from './prompt.ts';
import { sanitizeLine } from './sanitize.ts';

type Screen = NodeJS.WritableStream & { readonly columns?: number; readonly rows?: number };

export function createPrompt(
  streams: Streams,
  { inColour, inAscii, ended, clock, processes }: PromptOptions,
  typing: TerminalInput,
): Prompt {
  // Questions go to the stream that the user sees even if the result is redirected.
  const output: Screen = streams.errors.isTerminal ? streams.errors.raw : streams.output.raw;
  const size = () => ({ columns: widthOf(output), rows: output.rows || 24 });
  const write = (text: string) => void output.write(text);
  const theme = createTheme(inColour, inAscii, () => widthOf(output));

  /** `ask` draws the question and starts its input. `typeAhead`: what the user entered before the question appeared. */
  async function runQuestion<T>(
    question: string,
    ask: (config: QuestionConfig, signal: AbortSignal, typeAhead: string) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const end = new AbortController();
    const cancel = () => end.abort();
    const keyInput = createKeyInput({ typing, write, clock, processes, cancel });
    try {
      const typeAhead = await typing.takePending();
      if (typeAhead.includes('\x03') || typeAhead.includes('\x04')) throw new EndOfInput();
      // Remove its echo.
      if (typeAhead !== '') write(clearedLine);
      const signals = [ended, end.signal, ...(signal ? [signal] : [])];
      const config = { message: sanitizeLine(question), keyInput, output, size, theme };
      // Drawn in the same turn in which the type-ahead ended: later input may be an answer.
      const answer = await ask(config, AbortSignal.any(signals), typeAhead);
      keyInput.stopDelivery();
      return answer;
    } catch (error) {
      throw end.signal.aborted ? new EndOfInput() : error;
    } finally {
      keyInput.close();
    }
  }

  /** Asks a question that the user must see before answering. */
  const askWithoutTypeAhead = <T>(
    question: string,
    ask: (config: QuestionConfig, signal: AbortSignal) => Promise<T>,
  ) =>
    runQuestion(question, (config, signal, typeAhead) => {
      if (typeAhead !== '') write(`${theme.style.help(`> ${typeAheadDropped}`)}\n`);
      const answer = ask(config, signal);
      const { rest } = parseKeystrokes(typeAhead);
      config.keyInput.start(rest, startsPaste(rest));
      return answer;
    });

  return {
    ...createQuestions({
      askWithoutTypeAhead: (question, { validate, isHidden }) =>
        askWithoutTypeAhead(question, (config, signal) =>
          (isHidden ? askSecret : askText)({ ...config, validate, keepsInvalid: true }, signal),
        ),
      pickRows: (question, list, multiple) =>
        runQuestion(question, (config, signal, typeAhead) => {
          const { keystrokes, rest } = parseKeystrokes(typeAhead);
          const picker = { ...config, list, multiple, inAscii, initialQuery: initialQuery(keystrokes) };
          const answer = pickerQuestion(picker, { input: config.keyInput.input, output, signal });
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
        (config, questionSignal, typeAhead) => {
          const answer = askText({ ...config, validate, keepsInvalid }, questionSignal);
          // Type-ahead is an answer of its own, not the end of the initial text.
          config.keyInput.start(typeAhead || initial);
          if (!remark) return answer;
          const showRemark = () => config.keyInput.showRemark(remark.text);
          return answer.finally(clock.after(remark.afterMs, showRemark));
        },
        signal,
      ),
  };
}

/** True for the error of a question that ended with Ctrl-C, Ctrl-D, or an Esc that cancels. */
export function wasInterrupted(error: unknown): boolean {
  return error instanceof EndOfInput || (error instanceof Error && error.name === 'ExitPromptError');
}
