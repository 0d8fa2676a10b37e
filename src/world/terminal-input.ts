// Terminal input for the prompts: whole characters, however the reads split them, and nothing lost between two prompts. A
// closed terminal is the end of input, never an error that ends the process.

import { StringDecoder } from 'node:string_decoder';
import { isTerminal } from './is-terminal.ts';
import type { TerminalInput } from './world.ts';

export function createTerminalInput(): TerminalInput {
  const { stdin } = process;
  // Holds an incomplete character at the end of a read until the rest comes.
  const decoder = new StringDecoder('utf8');
  let left = '';
  let isOver = false;
  let isListening = false;
  let hear = (_text: string) => {};
  let hearEnd = () => {};

  const end = () => {
    if (isOver) return;
    isOver = true;
    hearEnd();
  };
  // A closed terminal fails reads and mode changes; the stream then closes, or has nothing more to read.
  stdin
    .on('error', () => {})
    .on('end', end)
    .on('close', end);

  function read(to: (text: string) => void): () => void {
    const hearPiece = (piece: Buffer | string) => {
      const text = typeof piece === 'string' ? piece : decoder.write(piece);
      if (text !== '') to(text);
    };
    stdin.on('data', hearPiece).resume();
    return () => void stdin.pause().off('data', hearPiece);
  }

  const setRaw = (raw: boolean) => {
    if (!isTerminal(0)) return;
    // Node skips a mode that it believes is set, but another program may have changed the terminal.
    if (raw && stdin.isRaw) stdin.setRawMode(false);
    stdin.setRawMode(raw);
  };

  return {
    setRaw,
    async takePending({ lines = false } = {}) {
      const wasRaw = stdin.isRaw === true;
      // In line mode the terminal holds an unfinished line.
      if (!lines && !wasRaw) setRaw(true);
      let typed = left;
      left = '';
      const stop = read((text) => {
        typed += text;
      });
      for (let before = -1; before !== typed.length; ) {
        before = typed.length;
        // The first turn asks the system for input, the second receives it.
        for (let turns = 0; turns < 2; turns++) await new Promise((resolve) => setImmediate(resolve));
      }
      stop();
      if (!lines && !wasRaw) setRaw(false);
      return typed;
    },
    unread(text) {
      left = text + left;
    },
    listen(listener, ended) {
      if (isListening) throw new Error('Two questions cannot listen at once');
      isListening = true;
      hear = listener;
      hearEnd = ended;
      const stop = read((text) => hear(text));
      if (isOver) setImmediate(() => hearEnd());
      return () => {
        isListening = false;
        stop();
        hear = () => {};
        hearEnd = () => {};
      };
    },
  };
}
