// Terminal input in whole characters, with what is typed between prompts. A closed terminal is its end, never an error.

import { StringDecoder } from 'node:string_decoder';
import type { TerminalInput } from './world.ts';

/** `isOpen`: false once the terminal is closed. */
export function createTerminalInput(isOpen: () => boolean): TerminalInput {
  const { stdin } = process;
  // Holds back an incomplete character until the rest of it arrives.
  const decoder = new StringDecoder('utf8');
  let unreadText = '';
  let isOver = false;
  let isListening = false;
  let onText = (_text: string) => {};
  let onEnd = () => {};

  const end = () => {
    if (isOver) return;
    isOver = true;
    onEnd();
  };
  // On a closed terminal, reads and mode changes fail; then the stream closes, or ends.
  stdin
    .on('error', () => {})
    .on('end', end)
    .on('close', end);

  function read(callback: (text: string) => void): () => void {
    const onData = (chunk: Buffer | string) => {
      const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
      if (text !== '') callback(text);
    };
    stdin.on('data', onData).resume();
    return () => void stdin.pause().off('data', onData);
  }

  const setRaw = (raw: boolean) => {
    if (!isOpen()) return;
    // Set the mode twice: Node skips a mode that it believes is set, but another program may have changed it.
    if (raw && stdin.isRaw) stdin.setRawMode(false);
    stdin.setRawMode(raw);
  };

  return {
    setRaw,
    async takePending({ lines = false } = {}) {
      const wasRaw = stdin.isRaw === true;
      // In line mode the terminal holds back an unfinished line.
      if (!lines && !wasRaw) setRaw(true);
      let pending = unreadText;
      unreadText = '';
      const stop = read((text) => {
        pending += text;
      });
      for (let lengthBefore = -1; lengthBefore !== pending.length; ) {
        lengthBefore = pending.length;
        // The first turn asks the system for input, the second receives it.
        for (let turns = 0; turns < 2; turns++) await new Promise((resolve) => setImmediate(resolve));
      }
      stop();
      if (!lines && !wasRaw) setRaw(false);
      return pending;
    },
    unread(text) {
      unreadText = text + unreadText;
    },
    listen(listener, endListener) {
      if (isListening) throw new Error('Two prompts cannot listen at once');
      isListening = true;
      onText = listener;
      onEnd = endListener;
      const stop = read((text) => onText(text));
      if (isOver) setImmediate(() => onEnd());
      return () => {
        isListening = false;
        stop();
        onText = () => {};
        onEnd = () => {};
      };
    },
  };
}
