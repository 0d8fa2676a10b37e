// The same questions for a terminal that cannot move its cursor (TERM=dumb), and for a screen reader: each is a line, and
// so is its answer. The terminal itself lets a person edit that line. What is typed ahead waits for its question, unless
// that is a list or a yes or no: nobody answers those unseen.

import type { Streams } from '../world/world.ts';
import { type Entry, toRows } from './picker/entry.ts';
import { matching } from './picker/filter.ts';
import { pageLines, pageOf, promptFor, readLine as readChoice } from './picker/numbered.ts';
import { typedBefore } from './picker/typed-before.ts';
import type { Prompt, PromptOptions } from './questions.ts';
import { safeLine } from './safe.ts';
import { readYes } from './yes.ts';

export function createPrompt(
  { input, output, errors }: Streams,
  { ended, onContinue }: Pick<PromptOptions, 'ended' | 'onContinue'>,
): Prompt {
  const shownOn = errors.isTerminal ? errors : output;
  const columns = () => shownOn.columns || 80;

  /** Asks until there is an answer: `read` gives it, or says what is wrong with the line. */
  async function ask<T>(
    question: string | (() => string),
    read: (line: string) => Promise<{ readonly answer: T } | string> | { readonly answer: T } | string,
    how: { readonly hidden?: true; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<T> {
    const signal = how.signal ? AbortSignal.any([how.signal, ended]) : ended;
    const put = () => shownOn.write(`? ${safeLine(typeof question === 'string' ? question : question())} `);
    for (;;) {
      // Before the question stands there, or the first keys could be seen.
      const show = how.hidden ? hide(input.raw) : undefined;
      const stay = onContinue(() => void put());
      let line: string;
      try {
        await put();
        line = await (how.hidden ? hiddenLine(input.raw, signal) : readLine(input.raw, signal));
      } catch (error) {
        // The question's line is still open.
        await shownOn.write('\n');
        throw error;
      } finally {
        stay();
        show?.();
      }
      if (how.hidden) await shownOn.write('\n');
      const found = await read(line);
      if (typeof found !== 'string') return found.answer;
      if (found !== '') await shownOn.write(`> ${safeLine(found)}\n`);
    }
  }

  /** What was typed before the question stood there. */
  async function takeTyped(): Promise<string> {
    const typed = await input.takeTyped();
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
    const typed = typedBefore(await takeTyped());
    let state = pageOf(rows, matching(rows, typed).length > 0 ? typed : '', 0);
    const showPage = () => shownOn.write(`${pageLines(rows, state, columns()).join('\n')}\n`);
    await shownOn.write(`? ${safeLine(question)}\n`);
    if (state.query !== typed)
      await shownOn.write(`> ${safeLine(`Nothing matches ${JSON.stringify(typed)}`)}\n`);
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
    async confirm(question) {
      // Nothing that was typed before it was seen is an answer to it.
      await takeTyped();
      return ask(`${question} (y/N)`, (line) => {
        const answer = readYes(line);
        return answer === undefined ? 'Type y or n' : { answer };
      });
    },
    async pick(question, entries) {
      for (const picked of await pickFrom(question, entries, false)) return picked;
      throw new Error('Nothing was picked');
    },
    pickSeveral: (question, entries) => pickFrom(question, entries, true),
    text: (question, { check, remark, signal } = {}) =>
      ask(
        question,
        (line) => {
          const wrong = remark?.(line) ?? check?.(line) ?? true;
          return wrong === true ? { answer: line } : wrong;
        },
        { signal },
      ),
    secret: (question) =>
      ask(question, (line) => (line === '' ? 'Needed' : { answer: line }), { hidden: true }),
  };
}

/** Takes what comes from the terminal; says whether that was all. What it leaves over is for the next question. */
type Take = (text: string) => { readonly rest: string } | undefined;

function read(input: NodeJS.ReadableStream, take: Take, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const decoder = new TextDecoder();
    const settle = (end: () => void) => {
      input.pause();
      input.off('data', hear).off('end', hearEnd);
      signal.removeEventListener('abort', abort);
      end();
    };
    const hearEnd = () => settle(() => reject(new EndOfInput()));
    const abort = () => settle(() => reject(signal.reason));
    const hear = (piece: Uint8Array | string) => {
      try {
        const text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
        const taken = take(text);
        if (!taken) return;
        settle(resolve);
        if (taken.rest !== '') input.unshift(taken.rest);
      } catch (error) {
        settle(() => reject(error));
      }
    };
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    input.on('data', hear).on('end', hearEnd);
    input.resume();
  });
}

async function readLine(input: NodeJS.ReadableStream, signal: AbortSignal): Promise<string> {
  let line = '';
  const take: Take = (text) => {
    const end = text.search(/[\r\n]/);
    line += end === -1 ? text : text.slice(0, end);
    return end === -1 ? undefined : { rest: text.slice(end + 1) };
  };
  await read(input, take, signal);
  return line;
}

/** Key by key, and none of them is shown; the result ends that. */
function hide(input: NodeJS.ReadableStream): () => void {
  if (!canHide(input)) throw new Error('The terminal cannot hide what is typed');
  input.setRawMode(true);
  return () => void input.setRawMode(false);
}

interface Hiding {
  setRawMode(raw: boolean): unknown;
}

function canHide(input: NodeJS.ReadableStream): input is NodeJS.ReadableStream & Hiding {
  return 'setRawMode' in input && typeof input.setRawMode === 'function';
}

/** What the terminal does for a line that is shown, the keys that mend and end it, is to be done here. */
async function hiddenLine(input: NodeJS.ReadableStream, signal: AbortSignal): Promise<string> {
  let keys: string[] = [];
  const take: Take = (text) => {
    const all = [...text];
    for (const [at, key] of all.entries()) {
      if (key === '\r' || key === '\n') return { rest: all.slice(at + 1).join('') };
      if (key === '\x03' || key === '\x04') throw new EndOfInput();
      if (key === '\x7f' || key === '\b') keys = keys.slice(0, -1);
      else keys.push(key);
    }
    return undefined;
  };
  await read(input, take, signal);
  return keys.join('');
}

/** Ctrl-D, or the terminal's end; for what is typed unseen also Ctrl-C, which elsewhere the whole program hears. */
class EndOfInput extends Error {}

export function wasInterrupted(error: unknown): boolean {
  return error instanceof EndOfInput;
}
