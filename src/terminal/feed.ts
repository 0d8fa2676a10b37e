// Brings what is typed to one question, stroke by stroke, and leaves what comes behind its answer to the next question.
// The package's own way reads whole pieces, and drops what an answer leaves over. Ctrl-D, Ctrl-Z and the end of the
// terminal are dealt with here, for every question alike.

import { PassThrough } from 'node:stream';
import type { Clock, Processes, TerminalInput } from '../world/world.ts';
import { createStops } from './stops.ts';
import { isPasteBegun, type Stroke, strokesIn } from './strokes.ts';

export interface FeedOptions {
  readonly typing: TerminalInput;
  readonly clock: Pick<Clock, 'after'>;
  readonly processes: Pick<Processes, 'onResume' | 'suspend'>;
  /** Ctrl-D, Esc where it leaves, or a closed terminal: the question is to end without an answer. */
  readonly leave: () => void;
}

/**
 * A question hears keys as the package has them. There are some of our own: `text`, a run of visible characters; `paste`;
 * `unknown`; `stop` before the process stops, and `continue` when it goes on. `piece` is an event by itself: the keys of
 * one read follow.
 */
export interface Feed {
  readonly input: NodeJS.ReadableStream;
  /** Begins, with what was typed before; `skipsPaste`: a paste in it whose end is still to come is dropped. */
  start(typed: string, options?: { readonly skipsPaste?: boolean }): void;
  /** There is an answer: what follows is for the next question. */
  answered(): void;
  /** What has arrived together with the last key is dropped. */
  dropPiece(): void;
  leave(): void;
  /** Ends; the terminal is as it was. */
  end(): void;
}

/** After that a lone Esc is a key of its own, and no more the beginning of another. */
const escapeMs = 500;

export function createFeed({ typing, clock, processes, leave }: FeedOptions): Feed {
  const input = new PassThrough();
  let isAnswered = false;
  let isDropping = false;
  let skipsPaste = false;
  let pending = '';
  let cancelEscape = () => {};
  let stopListening = () => {};

  typing.setRaw(true);
  const say = (name: string) => input.emit('keypress', '', { name });
  const stops = createStops(typing, processes, { isRaw: true, drawAgain: () => say('continue') });

  function press({ kind, text }: Stroke): void {
    if (kind === 'paste' && skipsPaste) {
      skipsPaste = false;
    } else if (text === '\x04') {
      leave();
    } else if (text === '\x1a') {
      say('stop');
      stops.stop();
    } else if (kind === 'key') {
      // Node knows the names of the keys.
      input.emit('data', text);
    } else {
      input.emit('keypress', '', { name: kind, sequence: text });
    }
  }

  function hear(piece: string): void {
    cancelEscape();
    const { strokes, rest } = strokesIn(pending + piece);
    pending = rest;
    isDropping = false;
    input.emit('piece');
    for (const [at, stroke] of strokes.entries()) {
      if (isDropping) break;
      if (isAnswered) {
        const left = strokes.slice(at).map(({ source }) => source);
        pending = [...left, pending].join('');
        break;
      }
      press(stroke);
    }
    if (isDropping && !isPasteBegun(pending)) pending = '';
    if (pending === '' || isPasteBegun(pending) || isAnswered) return;
    cancelEscape = clock.after(escapeMs, () => {
      const isEscape = pending.replaceAll('\x1b', '') === '';
      pending = '';
      input.emit('piece');
      input.emit('keypress', '', { name: isEscape ? 'escape' : 'unknown', sequence: '\x1b' });
    });
  }

  return {
    input,
    start(typed, options = {}) {
      skipsPaste = options.skipsPaste === true;
      if (typed !== '') hear(typed);
      if (!isAnswered) stopListening = typing.listen(hear, leave);
    },
    answered() {
      isAnswered = true;
    },
    dropPiece() {
      isDropping = true;
    },
    leave,
    end() {
      stops.end();
      cancelEscape();
      stopListening();
      if (isAnswered && pending !== '') typing.unread(pending);
      typing.setRaw(false);
    },
  };
}
