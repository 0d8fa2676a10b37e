// Reads the callback URL from a pipe: `(sleep 2; echo URL) | wm login --no-browser` works like a paste on a terminal.

import { StringDecoder } from 'node:string_decoder';
import type { World } from '../../world/world.ts';

/** In characters. A landing URL is far shorter; what is longer is read past. */
const maxLineLength = 16 * 1024;

export interface LineReaderOptions {
  readonly check: (line: string) => true | string;
  /** Called for a line that is wrong; the reading goes on. The line itself may hold a code and must not be shown. */
  readonly onInvalid: (lineNumber: number, why: string) => void;
  readonly signal: AbortSignal;
}

export type LineResult =
  | { readonly line: string }
  /** Why the reading ended without the right line: an error of the stream, or nothing for its end. */
  | { readonly ended: string | undefined };

/** Reads lines until one is right, the input ends, or the signal aborts; then lets go of the input. */
export function readCallbackUrlLine(
  { streams, clock }: Pick<World, 'streams' | 'clock'>,
  { check, onInvalid, signal }: LineReaderOptions,
): Promise<LineResult> {
  const { raw } = streams.input;
  return new Promise((resolve) => {
    const decoder = new StringDecoder('utf8');
    let text = '';
    let isTooLong = false;
    let lineNumber = 0;

    const settle = (result: LineResult) => {
      raw.off('data', hear);
      raw.off('end', end);
      raw.off('error', fail);
      signal.removeEventListener('abort', end);
      // A stream that is not paused keeps the process alive; paused while it hands out data, it reads on.
      void clock.nextTurn().then(() => {
        raw.pause();
        resolve(result);
      });
    };
    const isRight = (line: string): boolean => {
      lineNumber += 1;
      const wasTooLong = isTooLong;
      isTooLong = false;
      if (line.trim() === '' && !wasTooLong) return false;
      const judged = wasTooLong ? `It is longer than ${maxLineLength} characters.` : check(line);
      if (judged !== true) onInvalid(lineNumber, judged);
      return judged === true;
    };
    const hear = (chunk: Buffer) => {
      text += decoder.write(chunk);
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
        const line = text.slice(0, end);
        text = text.slice(end + 1);
        if (isRight(line)) return settle({ line });
      }
      if (text.length > maxLineLength) {
        text = '';
        isTooLong = true;
      }
    };
    const end = () => {
      // A pipe may end without a line break.
      if (!signal.aborted && (text !== '' || isTooLong) && isRight(text)) return settle({ line: text });
      settle({ ended: undefined });
    };
    const fail = (error: Error) => settle({ ended: error.message });

    raw.on('data', hear);
    raw.on('end', end);
    raw.on('error', fail);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
