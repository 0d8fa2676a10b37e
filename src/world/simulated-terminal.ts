// A world whose output looks like a terminal to the program, although a pipe takes it: `wm demo` shows on a terminal what
// a person would see there. There is nobody to ask in it.

import type { Output, World } from './world.ts';

/** `columns`: how wide the terminal is that stands behind the pipe, in cells. */
export function createSimulatedTerminal(world: World, columns: number): World {
  const asTerminal = (output: Output): Output => ({
    isTerminal: true,
    columns,
    write: (text, options) => output.write(text, options),
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

/** The demo's own terminal is not for the commands that it runs. */
function withoutTerminal(input: World['streams']['input']): World['streams']['input'] {
  return {
    isTerminal: false,
    readAll: (most) => input.readAll(most),
    get raw() {
      return input.raw;
    },
  };
}
