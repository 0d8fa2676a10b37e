// Prompts for screen readers, and for terminals that cannot move the cursor (TERM=dumb). The terminal edits the answer. Type-ahead
// answers a text question or filters a list; other questions drop it, because the user has not seen them.

import type { Streams, TerminalInput } from '#world/world.ts';
import { createJobControl } from './job-control.ts';
import { parseKeystrokes } from './keystrokes.ts';
import { widthOf } from './line-drawing.ts';
import { filterRows } from './picker/entry.ts';
import { initialQuery } from './picker/keys.ts';
import { createPage, formatPage, formatPrompt, parseChoice } from './picker/numbered-list.ts';
import { lookingFurther } from './picker/screen.ts';
import {
  createQuestions,
  EndOfInput,
  type PickList,
  type Prompt,
  type PromptOptions,
  type TextOptions,
  typeAheadDropped,
} from './prompt.ts';
import { readHiddenLine, readLine } from './read-line.ts';
import { sanitizeLine } from './sanitize.ts';

interface QuestionOptions extends Pick<TextOptions, 'signal' | 'remark'> {
  readonly isHidden?: true | undefined;
  readonly dropsTypeAhead?: true;
}

type Validated<T> = { readonly answer: T } | string;

export function createPrompt(
  { output, errors }: Pick<Streams, 'output' | 'errors'>,
  { ended, processes, clock }: Pick<PromptOptions, 'ended' | 'processes' | 'clock'>,
  typing: TerminalInput,
): Prompt {
  const screen = errors.isTerminal ? errors : output;
  const printRemark = (text: string) => screen.write(`> ${sanitizeLine(text)}\n`);

  /** Repeats the question until `validate` returns an answer. A text that it returns explains what is wrong with the line. */
  async function runQuestion<T>(
    question: string | (() => string),
    validate: (line: string) => Promise<Validated<T>> | Validated<T>,
    { isHidden, dropsTypeAhead, signal, remark }: QuestionOptions = {},
  ): Promise<T> {
    const signals = signal ? AbortSignal.any([signal, ended]) : ended;
    const text = () => `? ${sanitizeLine(typeof question === 'string' ? question : question())} `;
    // Before the question is printed: otherwise the terminal could echo the first keys.
    if (isHidden) typing.setRaw(true);
    const stops = createJobControl(typing, processes, {
      isRaw: isHidden === true,
      drawAgain: () => void screen.write(text()),
    });
    const cancelRemark =
      remark &&
      clock.after(remark.afterMs, () => void screen.write(`\n> ${sanitizeLine(remark.text)}\n${text()}`));
    try {
      if (dropsTypeAhead && (await takeTypeAhead()) !== '') await printRemark(typeAheadDropped);
      let typeAhead = dropsTypeAhead ? '' : await typing.takePending({ lines: true });
      for (;;) {
        let line: string;
        try {
          const [first = '', ...moreLines] = typeAhead.split(/(?<=[\r\n])/);
          // Print the answer here too: its echo is above the question.
          await screen.write(text() + sanitizeLine(first.trimEnd()) + (/[\r\n]$/.test(first) ? '\n' : ''));
          typing.unread(moreLines.join(''));
          line = isHidden
            ? await readHiddenLine(typing, signals, stops.suspend)
            : await readLine(typing, first, signals);
        } catch (error) {
          // The line of the question is still open.
          await screen.write('\n');
          throw error;
        }
        if (isHidden) await screen.write('\n');
        const nextTypeAhead = await typing.takePending({ lines: true });
        const validated = await validate(line);
        if (typeof validated !== 'string') {
          typing.unread(nextTypeAhead);
          return validated.answer;
        }
        if (validated !== '') await printRemark(validated);
        if (nextTypeAhead !== '') await printRemark(typeAheadDropped);
        typeAhead = '';
      }
    } finally {
      cancelRemark?.();
      stops.close();
      if (isHidden) typing.setRaw(false);
    }
  }

  async function takeTypeAhead(): Promise<string> {
    const pending = await typing.takePending();
    if (pending.includes('\x03') || pending.includes('\x04')) throw new EndOfInput();
    // End the line of its echo.
    if (pending !== '' && !/[\r\n]$/.test(pending)) await screen.write('\n');
    return pending;
  }

  async function pickRows(question: string, list: PickList, multiple: boolean): Promise<readonly number[]> {
    const addIfNone = async (query: string) => {
      if (list.isComplete || filterRows(list.rows, query).length > 0) return;
      await printRemark(lookingFurther);
      await list.addRows();
    };
    const typeAhead = initialQuery(parseKeystrokes(await takeTypeAhead()).keystrokes);
    await addIfNone(typeAhead);
    let state = createPage(list.rows, filterRows(list.rows, typeAhead).length > 0 ? typeAhead : '', 0);
    const showPage = () => screen.write(`${formatPage(list.rows, state, widthOf(screen)).join('\n')}\n`);
    await screen.write(`? ${sanitizeLine(question)}\n`);
    if (state.query !== typeAhead) await printRemark(`No matches for ${JSON.stringify(typeAhead)}`);
    await showPage();
    return runQuestion<readonly number[]>(
      () => formatPrompt(list.rows, state, multiple, widthOf(screen)),
      async (line) => {
        if (/\p{L}/u.test(line)) await addIfNone(line);
        const choice = parseChoice(list.rows, state, line, multiple);
        if ('picked' in choice) return { answer: choice.picked };
        if ('error' in choice) return choice.error;
        state = choice.state;
        await showPage();
        return '';
      },
    );
  }

  return {
    ...createQuestions({
      pickRows,
      askWithoutTypeAhead: (question, { validate, isHidden }) =>
        runQuestion(question, (line) => validate(line) ?? { answer: line }, {
          dropsTypeAhead: true,
          isHidden,
        }),
    }),
    async text(question, { initial, validate, ...options } = {}) {
      if (initial !== undefined) await printRemark(`Now: ${initial}`);
      return runQuestion(question, (line) => validate?.(line) ?? { answer: line }, options);
    },
  };
}

export function wasInterrupted(error: unknown): boolean {
  return error instanceof EndOfInput;
}
