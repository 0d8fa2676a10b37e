// The processes that a test of the demo starts: the built program, unless the test starts something else, or runs it itself.

import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { run } from '#test/support/program/program.ts';
import { collectStreams, textOf } from '#test/support/program/streams.ts';
import { createWorld } from '#world/create-world.ts';
import type { Child, Output, StartOptions, World } from '#world/world.ts';

export function processOf(start: World['process']['start']): World['process'] {
  return {
    ...createWorld().process,
    self: [process.execPath, resolve('bin/wm.js')],
    onInterrupt: () => () => {},
    start,
  };
}

/** Runs `wm` in the process of the test. It reads nothing, and no signal reaches it. */
export function startInside(
  [, , ...words]: readonly string[],
  { environment, onOutput, onErrors }: StartOptions,
): Child {
  const tell = (listener: StartOptions['onOutput']): Output => ({
    isTerminal: false,
    columns: undefined,
    write: async (text) => listener?.(textOf(text)),
    raw: new PassThrough(),
  });
  const { input } = collectStreams().streams;
  const streams = { input, output: tell(onOutput), errors: tell(onErrors) };
  const ended = run(words, { environment, world: { streams } }).then(({ status }) => status);
  const nothing = () => {};
  return { ended, exited: ended, pid: () => undefined, detach: nothing, release: nothing, kill: nothing };
}
