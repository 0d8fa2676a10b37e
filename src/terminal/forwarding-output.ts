// An output in front of another one: it changes what is written, or stops it, and is otherwise what the other one is at the time.

import type { Output } from '#world/world.ts';

export function forwardOutput(
  output: Output,
  { write, abandon = () => output.abandon?.() }: Pick<Output, 'write' | 'abandon'>,
): Output {
  return {
    get isTerminal() {
      return output.isTerminal;
    },
    get columns() {
      return output.columns;
    },
    write,
    abandon,
    get isAbandoned() {
      return output.isAbandoned ?? false;
    },
    get isReaderGone() {
      return output.isReaderGone ?? false;
    },
    get raw() {
      return output.raw;
    },
  };
}
