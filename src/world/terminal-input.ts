// What is typed on the terminal, for the prompts: whole characters however the reads cut them, and nothing lost between
// one question and the next. A terminal that was closed has come to its end; it is never an error that ends the process.

import { StringDecoder } from 'node:string_decoder';
import { isatty } from 'node:tty';
import type { TerminalInput } from './world.ts';

export function createTerminalInput(): TerminalInput {
  const { stdin } = process;
  // Half a character at the end of a read is in here until the other half comes.
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
  // A read or a mode that a closed terminal refuses; the stream closes then, or has nothing more to give.
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
    if (!isatty(0)) return;
    // Node would not do again what it believes to be so, and another program may have had the terminal.
    if (raw && stdin.isRaw) stdin.setRawMode(false);
    stdin.setRawMode(raw);
  };

  return {
    setRaw,
    async takePending({ lines = false } = {}) {
      const wasRaw = stdin.isRaw === true;
      // A terminal that collects lines keeps one that has no end yet.
      if (!lines && !wasRaw) setRaw(true);
      let typed = left;
      left = '';
      const stop = read((text) => {
        typed += text;
      });
      for (let before = -1; before !== typed.length; ) {
        before = typed.length;
        // The first turn asks the system for it, the second hears of it.
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
