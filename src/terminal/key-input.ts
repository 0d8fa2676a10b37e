// Delivers input to one prompt, keystroke by keystroke, and leaves what follows its answer for the next prompt. The
// prompt package reads whole chunks and drops what an answer leaves over. Handles Ctrl-D, Ctrl-Z and the end of the
// terminal for all prompts.

import { PassThrough } from 'node:stream';
import type { Clock, Processes, TerminalInput } from '#world/world.ts';
import { createJobControl } from './job-control.ts';
import { type Keystroke, parseKeystrokes, startsPaste } from './keystrokes.ts';

export interface KeyInputOptions {
  readonly typing: TerminalInput;
  readonly clock: Pick<Clock, 'after'>;
  readonly processes: Pick<Processes, 'onResume' | 'suspend'>;
  /** Ctrl-D, Esc where it leaves, or a closed terminal: the question is to end without an answer. */
  readonly cancel: () => void;
}

/**
 * A question hears keys as the package has them. There are some of our own: `text`, a run of visible characters; `paste`;
 * `unknown`; `remark`, whose text is to be shown below; `stop` before the process stops, and `continue` when it goes on. `piece` is
 * an event by itself: the keys of one read follow.
 */
export interface KeyInput {
  readonly input: NodeJS.ReadableStream;
  /** Begins, with what was typed before; `skipsPaste`: a paste in it whose end is still to come is dropped. */
  start(typed: string, options?: { readonly skipsPaste?: boolean }): void;
  /** There is an answer: what follows is for the next question. */
  stopDelivery(): void;
  /** What has arrived together with the last key is dropped. */
  dropRestOfRead(): void;
  showRemark(text: string): void;
  cancel(): void;
  /** Ends; the terminal is as it was. */
  close(): void;
}

/** After that a lone Esc is a key of its own, and no more the beginning of another. */
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
      // Node knows the names of the keys.
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
    for (const [at, stroke] of keystrokes.entries()) {
      if (isDropping) break;
      if (isAnswered) {
        const left = keystrokes.slice(at).map(({ source }) => source);
        pending = [...left, pending].join('');
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
    start(typed, options = {}) {
      skipsPaste = options.skipsPaste === true;
      if (typed !== '') onRead(typed);
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
