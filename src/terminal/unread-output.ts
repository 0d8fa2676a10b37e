// What is printed and not read, on a terminal after Ctrl-S, a dead connection or by a program that stands still: messages wait
// in a limited number, and after a signal an output that takes nothing is given up, so that the process can end.

import type { Clock, Output, World } from '../world/world.ts';

/** How long an output may take nothing once a signal has come. */
export const unreadMs = 5_000;
/** Messages that wait; those beyond it are counted. Who waits for each never has more than one. */
const mostWaiting = 2_000;

/** The same world, whose outputs hold up neither a signal nor, with messages, the memory. */
export function limitUnread(world: World): World {
  const { input, output, errors } = world.streams;
  const results = limitOutput(output, world.clock);
  const messages = limitOutput(errors, world.clock, mostWaiting);
  return {
    ...world,
    streams: { input, output: results.output, errors: messages.output },
    process: {
      ...world.process,
      onInterrupt: (listener) =>
        world.process.onInterrupt((signal) => {
          results.onSignal();
          messages.onSignal();
          listener(signal);
        }),
    },
  };
}

function limitOutput(output: Output, clock: Clock, most = Infinity) {
  let waiting = 0;
  let omitted = 0;
  let hasSignal = false;
  let cancel = () => {};
  const watch = () => {
    cancel();
    if (!hasSignal || waiting === 0) return;
    let stop = () => {};
    let isOver = false;
    cancel = () => {
      isOver = true;
      stop();
    };
    // Mostly it is taken at once.
    void clock.nextTurn().then(() => {
      if (!isOver) stop = clock.after(unreadMs, () => output.abandon?.());
    });
  };
  const write: Output['write'] = async (text, options) => {
    if (waiting >= most) {
      omitted++;
      return;
    }
    waiting++;
    if (waiting === 1) watch();
    try {
      await output.write(text, options);
    } finally {
      waiting--;
      watch();
    }
    if (waiting > 0 || omitted === 0) return;
    const count = omitted;
    omitted = 0;
    await write(`(${count} more: they could not be printed in time)\n`);
  };
  const limited: Output = {
    get isTerminal() {
      return output.isTerminal;
    },
    get columns() {
      return output.columns;
    },
    write,
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
  };
  return {
    output: limited,
    onSignal() {
      hasSignal = true;
      watch();
    },
  };
}
