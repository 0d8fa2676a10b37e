// Delivers keystrokes to one prompt, and leaves those after its answer for the next. The prompt package reads whole chunks and
// drops the rest. Handles Ctrl-D, Ctrl-Z, bracketed paste and a closed terminal for all prompts.

import { PassThrough } from 'node:stream';
import type { TerminalInput } from '#world/world.ts';
import { createJobControl } from './job-control.ts';
import { isEnter, type Keystroke, parseKeystrokes, startsPaste } from './keystrokes.ts';
import type { PromptOptions } from './prompt.ts';

export type KeyInput = ReturnType<typeof createKeyInput>;

interface KeyInputOptions extends Pick<PromptOptions, 'clock' | 'processes'> {
  readonly typing: TerminalInput;
  readonly write: (text: string) => void;
  /** Ends the question without an answer, after Ctrl-D, an Esc that cancels, or a closed terminal. */
  readonly cancel: () => void;
}

export const bell = '\x07';
/** Asks the terminal to mark the start and the end of a paste. */
const bracketedPaste = { on: '\x1b[?2004h', off: '\x1b[?2004l' } as const;
/** After this time, a single Esc is a key and not the beginning of a sequence. */
const escapeMs = 500;

/** `input` emits the package's keys, `text`, `paste`, `unknown`, `remark`, `chunk` before each read, and `stop` and `continue` of ours. */
export function createKeyInput({ typing, write, clock, processes, cancel }: KeyInputOptions) {
  const input: NodeJS.ReadableStream = new PassThrough();
  let isAnswered = false;
  let isForLine = false;
  let skipsPaste = false;
  /** The beginning of a sequence or of a paste. */
  let pending = '';
  /** Came in one read with the answer, or what may be the answer. */
  let afterAnswer = '';
  let cancelEscape = () => {};
  let stopListening = () => {};

  typing.setRaw(true);
  const emitKey = (name: string) => input.emit('keypress', '', { name });
  const drawAgain = () => {
    write(bracketedPaste.on);
    emitKey('continue');
  };
  write(bracketedPaste.on);
  const stops = createJobControl(typing, processes, { isRaw: true, drawAgain });

  function deliver({ kind, text }: Keystroke): void {
    if (kind === 'paste' && skipsPaste) {
      skipsPaste = false;
    } else if (text === '\x04') {
      cancel();
    } else if (text === '\x1a') {
      emitKey('stop');
      write(`\x1b[J${bracketedPaste.off}`);
      stops.suspend();
    } else if (text === '\t' && isForLine) {
      // The package would insert it, or take it for a yes.
      write(bell);
    } else if (kind === 'key') {
      // Let Node name the keys.
      input.emit('data', text);
    } else {
      input.emit('keypress', '', { name: kind, sequence: text });
    }
  }

  function onRead(piece: string): void {
    cancelEscape();
    const { keystrokes, rest } = parseKeystrokes(pending + piece);
    pending = rest;
    input.emit('chunk');
    for (const [index, stroke] of keystrokes.entries()) {
      deliver(stroke);
      if (!isAnswered && !(isForLine && isEnter(stroke))) continue;
      afterAnswer = keystrokes
        .slice(index + 1)
        .map(({ source }) => source)
        .join('');
      break;
    }
    if (pending === '' || startsPaste(pending) || isAnswered) return;
    cancelEscape = clock.after(escapeMs, () => {
      const isEscape = pending.replaceAll('\x1b', '') === '';
      pending = '';
      input.emit('chunk');
      input.emit('keypress', '', { name: isEscape ? 'escape' : 'unknown', sequence: '\x1b' });
    });
  }

  return {
    input,
    /** Starts with the type-ahead. `dropsPaste`: drop a paste in it that has not ended. */
    start(typeAhead: string, dropsPaste = false) {
      skipsPaste = dropsPaste;
      if (typeAhead !== '') onRead(typeAhead);
      if (!isAnswered) stopListening = typing.listen(onRead, cancel);
    },
    /** For a question that edits a line, which knows only after Enter whether it has its answer. */
    expectLine() {
      isForLine = true;
    },
    /** Called at the answer: what follows goes to the next question. */
    stopDelivery() {
      isAnswered = true;
    },
    showRemark: (text: string) => void input.emit('keypress', '', { name: 'remark', sequence: text }),
    cancel,
    close() {
      write(bracketedPaste.off);
      stops.close();
      cancelEscape();
      stopListening();
      if (isAnswered && afterAnswer + pending !== '') typing.unread(afterAnswer + pending);
      typing.setRaw(false);
    },
  };
}
