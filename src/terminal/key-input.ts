// Delivers keystrokes to one prompt, and leaves those after its answer for the next. The prompt package reads whole chunks and
// drops the rest. Handles Ctrl-D, Ctrl-Z and a closed terminal for all prompts.

import { PassThrough } from 'node:stream';
import type { TerminalInput } from '#world/world.ts';
import { createJobControl } from './job-control.ts';
import { type Keystroke, parseKeystrokes, startsPaste } from './keystrokes.ts';
import type { PromptOptions } from './prompt.ts';

export type KeyInput = ReturnType<typeof createKeyInput>;

interface KeyInputOptions extends Pick<PromptOptions, 'clock' | 'processes'> {
  readonly typing: TerminalInput;
  /** Ends the question without an answer, after Ctrl-D, an Esc that cancels, or a closed terminal. */
  readonly cancel: () => void;
}

/** After this time, a single Esc is a key and not the beginning of a sequence. */
const escapeMs = 500;

/**
 * `input` emits the package's keys and these: `text`, visible characters; `paste`; `unknown`; `remark`, text to show below; `stop` and
 * `continue`, around a stop of the process; `piece`, before the keys of each read.
 */
export function createKeyInput({ typing, clock, processes, cancel }: KeyInputOptions) {
  const input: NodeJS.ReadableStream = new PassThrough();
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
    /** Starts with the type-ahead. `dropsPaste`: drop a paste in it that has not ended. */
    start(typeAhead: string, dropsPaste = false) {
      skipsPaste = dropsPaste;
      if (typeAhead !== '') onRead(typeAhead);
      if (!isAnswered) stopListening = typing.listen(onRead, cancel);
    },
    /** Called at the answer: what follows goes to the next question. */
    stopDelivery() {
      isAnswered = true;
    },
    /** Drops what arrived together with the last key. */
    dropRestOfRead() {
      isDropping = true;
    },
    showRemark: (text: string) => void input.emit('keypress', '', { name: 'remark', sequence: text }),
    cancel,
    /** Ends, and restores the terminal. */
    close() {
      stops.close();
      cancelEscape();
      stopListening();
      if (isAnswered && pending !== '') typing.unread(pending);
      typing.setRaw(false);
    },
  };
}
