// Wraps an output: changes or stops what is written, and passes everything else through.

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
