// A world whose output looks like a terminal, although it goes into a pipe: `wm demo` shows what a user would see.

import type { Input, Output, World } from './world.ts';

/** `columns`: the width of the terminal behind the pipe, in cells. */
export function createSimulatedTerminal(world: World, columns: number): World {
  const asTerminal = (output: Output): Output =>
    Object.create(output, { isTerminal: { value: true }, columns: { value: columns } });
  // The commands that the demo runs must not read from its terminal.
  const withoutTerminal = (input: Input): Input =>
    Object.create(input, { isTerminal: { value: false }, terminal: { value: undefined } });
  const { input, output, errors } = world.streams;
  return {
    ...world,
    streams: { input: withoutTerminal(input), output: asTerminal(output), errors: asTerminal(errors) },
  };
}
