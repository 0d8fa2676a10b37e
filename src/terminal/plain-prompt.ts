// The same questions for a terminal that cannot move its cursor (TERM=dumb), and for a screen reader: each is a line, and
// so is its answer. The terminal itself lets a person edit that line. A line that was typed ahead answers a question for
// text, and is shown behind it; it filters a list; and it is dropped by a question for a yes or no or for a secret, and
// wherever the line before it was no answer: nobody answers those unseen.

import type { Streams, TerminalInput } from '../world/world.ts';
import { type Entry, toRows } from './picker/entry.ts';
import { matching } from './picker/filter.ts';
import { pageLines, pageOf, promptFor, readLine as readChoice } from './picker/numbered.ts';
import { typedBefore } from './picker/typed-before.ts';
import { readHidden, readLine } from './plain-line.ts';
import { dropped, EndOfInput, type Prompt, type PromptOptions } from './questions.ts';
import { safeLine } from './safe.ts';
import { createStops } from './stops.ts';
import { strokesIn } from './strokes.ts';
import { readYes } from './yes.ts';

interface How {
  readonly isHidden?: true;
  /** What was typed before the question stood there is dropped. */
  readonly isAfresh?: true;
  readonly signal?: AbortSignal | undefined;
}

type Judged<T> = { readonly answer: T } | string;

export function createPrompt(
  { output, errors }: Pick<Streams, 'output' | 'errors'>,
  { ended, processes }: Pick<PromptOptions, 'ended' | 'processes'>,
  typing: TerminalInput,
): Prompt {
  const shownOn = errors.isTerminal ? errors : output;
  const columns = () => shownOn.columns || 80;
  const remark = (text: string) => shownOn.write(`> ${safeLine(text)}\n`);

  /** Asks until there is an answer: `judge` gives it, or says what is wrong with the line. */
  async function ask<T>(
    question: string | (() => string),
    judge: (line: string) => Promise<Judged<T>> | Judged<T>,
    { isHidden, isAfresh, signal }: How = {},
  ): Promise<T> {
    const signals = signal ? AbortSignal.any([signal, ended]) : ended;
    const text = () => `? ${safeLine(typeof question === 'string' ? question : question())} `;
    // Before the question stands there, or the first keys could be seen.
    if (isHidden) typing.setRaw(true);
    const stops = createStops(typing, processes, {
      isRaw: isHidden === true,
      drawAgain: () => void shownOn.write(text()),
    });
    try {
      if (isAfresh && (await takeTyped()) !== '') await remark(dropped);
      let ahead = isAfresh ? '' : await typing.takePending({ lines: true });
      for (;;) {
        let line: string;
        try {
          const [first = '', ...others] = ahead.split(/(?<=[\r\n])/);
          // Nobody sees it there otherwise: its echo stands above the question.
          await shownOn.write(text() + safeLine(first.trimEnd()) + (/[\r\n]$/.test(first) ? '\n' : ''));
          typing.unread(others.join(''));
          line = isHidden
            ? await readHidden(typing, signals, stops.stop)
            : await readLine(typing, first, signals);
        } catch (error) {
          // The question's line is still open.
          await shownOn.write('\n');
          throw error;
        }
        if (isHidden) await shownOn.write('\n');
        const behind = await typing.takePending({ lines: true });
        const judged = await judge(line);
        if (typeof judged !== 'string') {
          typing.unread(behind);
          return judged.answer;
        }
        if (judged !== '') await remark(judged);
        if (behind !== '') await remark(dropped);
        ahead = '';
      }
    } finally {
      stops.end();
      if (isHidden) typing.setRaw(false);
    }
  }

  /** What was typed before the question stood there. */
  async function takeTyped(): Promise<string> {
    const typed = await typing.takePending();
    if (typed.includes('\x03') || typed.includes('\x04')) throw new EndOfInput();
    // Its echo stands on a line of its own.
    if (typed !== '' && !/[\r\n]$/.test(typed)) await shownOn.write('\n');
    return typed;
  }

  async function pickFrom<T>(
    question: string,
    entries: readonly Entry<T>[],
    several: boolean,
  ): Promise<readonly T[]> {
    const rows = toRows(entries);
    const typed = typedBefore(strokesIn(await takeTyped()).strokes);
    let state = pageOf(rows, matching(rows, typed).length > 0 ? typed : '', 0);
    const showPage = () => shownOn.write(`${pageLines(rows, state, columns()).join('\n')}\n`);
    await shownOn.write(`? ${safeLine(question)}\n`);
    if (state.query !== typed) await remark(`Nothing matches ${JSON.stringify(typed)}`);
    await showPage();
    const picked = await ask<readonly number[]>(
      () => promptFor(rows, state, several, columns()),
      async (line) => {
        const read = readChoice(rows, state, line, several);
        if ('picked' in read) return { answer: read.picked };
        if ('wrong' in read) return read.wrong;
        state = read.state;
        await showPage();
        return '';
      },
    );
    return entries.flatMap(({ value }, at) => (picked.includes(at) ? [value] : []));
  }

  return {
    confirm: (question) =>
      ask(
        `${question} (y/N)`,
        (line) => {
          const answer = readYes(line);
          return answer === undefined ? 'Type y or n' : { answer };
        },
        { isAfresh: true },
      ),
    async pick(question, entries) {
      for (const picked of await pickFrom(question, entries, false)) return picked;
      throw new Error('Nothing was picked');
    },
    pickSeveral: (question, entries) => pickFrom(question, entries, true),
    text: (question, { check, remark: wrongWith, signal } = {}) =>
      ask(
        question,
        (line) => {
          const wrong = wrongWith?.(line) ?? check?.(line) ?? true;
          return wrong === true ? { answer: line } : wrong;
        },
        { signal },
      ),
    secret: (question) =>
      ask(question, (line) => (line === '' ? 'Needed' : { answer: line }), {
        isHidden: true,
        isAfresh: true,
      }),
  };
}

export function wasInterrupted(error: unknown): boolean {
  return error instanceof EndOfInput;
}
