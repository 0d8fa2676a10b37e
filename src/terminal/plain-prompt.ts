// The same questions for a terminal that cannot move its cursor (TERM=dumb): each is a line, and so is its answer. The
// terminal itself lets a person edit that line; what is typed ahead waits for its question.

import type { Streams } from '../world/world.ts';
import type { Prompt } from './prompt.ts';
import { safeLine } from './safe.ts';

/** `ended`: whatever question stands then is over, and throws. */
export function createPrompt(
  { input, output, errors }: Streams,
  _inColour: boolean,
  ended: AbortSignal,
): Prompt {
  const shownOn = errors.isTerminal ? errors : output;

  /** Asks until there is an answer: `read` gives it, or says what is wrong with the line. */
  async function ask<T>(
    question: string,
    read: (line: string) => { readonly answer: T } | string,
    how: { readonly hidden?: true; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<T> {
    const signal = how.signal ? AbortSignal.any([how.signal, ended]) : ended;
    for (;;) {
      // Before the question stands there, or the first keys could be seen.
      const show = how.hidden ? hide(input.raw) : undefined;
      let line: string;
      try {
        await shownOn.write(`? ${safeLine(question)} `);
        line = await (how.hidden ? hiddenLine(input.raw, signal) : readLine(input.raw, signal));
      } catch (error) {
        // The question's line is still open.
        await shownOn.write('\n');
        throw error;
      } finally {
        show?.();
      }
      if (how.hidden) await shownOn.write('\n');
      const found = read(line);
      if (typeof found !== 'string') return found.answer;
      await shownOn.write(`> ${safeLine(found)}\n`);
    }
  }

  return {
    confirm: (question) => ask(`${question} (y/N)`, (line) => ({ answer: /^y(?:es)?$/i.test(line.trim()) })),
    async select(question, choices) {
      const width = String(choices.length).length;
      const lines = choices.map(({ name }, at) => `  ${String(at + 1).padStart(width)}  ${safeLine(name)}\n`);
      await shownOn.write(`? ${safeLine(question)}\n${lines.join('')}`);
      return ask(`Its number (1 to ${choices.length}):`, (line) => {
        const said = line.trim();
        const choice = /^\d+$/.test(said) ? choices[Number(said) - 1] : undefined;
        return choice
          ? { answer: choice.value }
          : `${JSON.stringify(said)} is not a number from 1 to ${choices.length}`;
      });
    },
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
