// Reads a line without cursor movement. The terminal edits a visible line; this file handles the editing keys of a hidden one.
// Leaves what follows the line for the next question.

import type { TerminalInput } from '#world/world.ts';
import { editLine, isEnter, parseKeystrokes } from './keystrokes.ts';
import { EndOfInput } from './prompt.ts';

/** `typeAhead` begins the line. Rejects if the signal aborts, and at the end of input. */
export async function readLine(typing: TerminalInput, typeAhead: string, signal: AbortSignal) {
  let line = '';
  await listen(typing, signal, typeAhead, (text) => {
    const end = text.search(/[\r\n]/);
    line += end === -1 ? text : text.slice(0, end);
    return end === -1 ? undefined : text.slice(end + 1);
  });
  return line;
}

/** Reads in raw mode. `stop`: called for Ctrl-Z. */
export async function readHiddenLine(typing: TerminalInput, signal: AbortSignal, stop: () => void) {
  let line = '';
  let pending = '';
  await listen(typing, signal, '', (piece) => {
    const { keystrokes, rest } = parseKeystrokes(pending + piece);
    pending = rest;
    for (const [index, stroke] of keystrokes.entries()) {
      if (isEnter(stroke)) return [...keystrokes.slice(index + 1).map(({ source }) => source), rest].join('');
      if (stroke.text === '\x03' || stroke.text === '\x04') throw new EndOfInput();
      if (stroke.text === '\x1a') stop();
      line = editLine(line, stroke);
    }
    return undefined;
  });
  return line;
}

/** `consume` takes a chunk, and returns what follows the line once it is complete. */
function listen(
  typing: TerminalInput,
  signal: AbortSignal,
  typeAhead: string,
  consume: (chunk: string) => string | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let stop = () => {};
    const settle = (end: () => void) => {
      stop();
      signal.removeEventListener('abort', abort);
      end();
    };
    const abort = () => settle(() => reject(signal.reason));
    /** Returns true at the end of the line. */
    const onText = (text: string): boolean => {
      try {
        const rest = consume(text);
        if (rest === undefined) return false;
        settle(resolve);
        if (rest !== '') typing.unread(rest);
      } catch (error) {
        settle(() => reject(error));
      }
      return true;
    };
    if (signal.aborted) return reject(signal.reason);
    if (typeAhead !== '' && onText(typeAhead)) return;
    signal.addEventListener('abort', abort, { once: true });
    stop = typing.listen(onText, () => settle(() => reject(new EndOfInput())));
  });
}
