// Creates a world whose output looks like a terminal, although it goes into a pipe: `wm demo` shows what a user would see. It
// cannot prompt.

import type { Output, World } from './world.ts';

/** `columns`: the width of the terminal behind the pipe, in cells. */
export function createSimulatedTerminal(world: World, columns: number): World {
  const asTerminal = (output: Output): Output => ({
    isTerminal: true,
    columns,
    write: (text, options) => output.write(text, options),
    abandon() {
      output.abandon?.();
    },
    get isAbandoned() {
      return output.isAbandoned ?? false;
    },
    get isReaderGone() {
      return output.isReaderGone ?? false;
    },
    get raw() {
      return output.raw;
    },
  });
  const { input, output, errors } = world.streams;
  return {
    ...world,
    streams: { input: withoutTerminal(input), output: asTerminal(output), errors: asTerminal(errors) },
  };
}

/** The commands that the demo runs must not read from its terminal. */
function withoutTerminal(input: World['streams']['input']): World['streams']['input'] {
  return {
    isTerminal: false,
    readAll: (maxBytes) => input.readAll(maxBytes),
    get raw() {
      return input.raw;
    },
  };
}
