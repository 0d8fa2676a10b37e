// Delivers keystrokes to one prompt, and leaves those after its answer for the next. The prompt package reads whole chunks and
// drops the rest. Handles Ctrl-D, Ctrl-Z and a closed terminal for all prompts.

import { PassThrough } from 'node:stream';
import type { Clock, Processes, TerminalInput } from '#world/world.ts';
import { createJobControl } from './job-control.ts';
import { type Keystroke, parseKeystrokes, startsPaste } from './keystrokes.ts';

export interface KeyInputOptions {
  readonly typing: TerminalInput;
  readonly clock: Pick<Clock, 'after'>;
  readonly processes: Pick<Processes, 'onResume' | 'suspend'>;
  /** Ends the question without an answer, after Ctrl-D, an Esc that cancels, or a closed terminal. */
  readonly cancel: () => void;
}

/**
 * Emits the package's keys and these: `text`, visible characters; `paste`; `unknown`; `remark`, text to show below; `stop` and
 * `continue`, around a stop of the process; `piece`, before the keys of each read.
 */
export interface KeyInput {
  readonly input: NodeJS.ReadableStream;
  /** Starts with the type-ahead. `skipsPaste`: drop a paste in it that has not ended. */
  start(typeAhead: string, options?: { readonly skipsPaste?: boolean }): void;
  /** Called at the answer: what follows goes to the next question. */
  stopDelivery(): void;
  /** Drops what arrived together with the last key. */
  dropRestOfRead(): void;
  showRemark(text: string): void;
  cancel(): void;
  /** Ends, and restores the terminal. */
  close(): void;
}

/** After this time, a single Esc is a key and not the beginning of a sequence. */
const escapeMs = 500;

export function createKeyInput({ typing, clock, processes, cancel }: KeyInputOptions): KeyInput {
  const input = new PassThrough();
  let isAnswered = false;
  let isDropping = false;
  let skipsPaste = false;
  let pending = '';
  let cancelEscape = () => {};
  let stopListening = () => {};

  typing.setRaw(true);
  const emitKey = (name: string) => input.emit('keypress', '', { name });
  const stops = createJobControl(typing, processes, { isRaw: true, drawAgain: () => emitKey('continue') });

  function deliver({ kind, text }: Keystroke): void {
    if (kind === 'paste' && skipsPaste) {
      skipsPaste = false;
    } else if (text === '\x04') {
      cancel();
    } else if (text === '\x1a') {
      emitKey('stop');
      stops.suspend();
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
    isDropping = false;
    input.emit('chunk');
    for (const [index, stroke] of keystrokes.entries()) {
      if (isDropping) break;
      if (isAnswered) {
        const rest = keystrokes.slice(index).map(({ source }) => source);
        pending = [...rest, pending].join('');
        break;
      }
      deliver(stroke);
    }
    if (isDropping && !startsPaste(pending)) pending = '';
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
    start(typeAhead, options = {}) {
      skipsPaste = options.skipsPaste === true;
      if (typeAhead !== '') onRead(typeAhead);
      if (!isAnswered) stopListening = typing.listen(onRead, cancel);
    },
    stopDelivery() {
      isAnswered = true;
    },
    dropRestOfRead() {
      isDropping = true;
    },
    showRemark: (text) => void input.emit('keypress', '', { name: 'remark', sequence: text }),
    cancel,
    close() {
      stops.close();
      cancelEscape();
      stopListening();
      if (isAnswered && pending !== '') typing.unread(pending);
      typing.setRaw(false);
    },
  };
}
