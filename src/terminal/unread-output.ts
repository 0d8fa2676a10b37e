// Handles output that is not read, as after Ctrl-S, on a dead connection, or by a stopped program. Limits the waiting messages, and
// after a signal gives up on a blocked output, so that the process can end.

import type { Clock, Output, World } from '#world/world.ts';

/** How long an output may block after a signal. */
export const unreadMs = 5_000;
/** How many messages may wait; beyond that they are counted. A caller that awaits each write has only one. */
const mostWaiting = 2_000;

/** Its outputs cannot delay the end after a signal, and waiting messages cannot fill the memory. */
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

/** The same output, but for how it is written. */
export function forwardOutput(output: Output, own: Pick<Output, 'write' | 'abandon'>): Output {
  return Object.assign(Object.create(output), own);
}

function limitOutput(output: Output, clock: Clock, most = Infinity) {
  let waiting = 0;
  let omitted = 0;
  let hasSignal = false;
  let cancel = () => {};
  const watch = () => {
    cancel();
    if (waiting === 0) return;
    let stop = () => {};
    let isOver = false;
    cancel = () => {
      isOver = true;
      stop();
    };
    // Usually the output accepts it at once.
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
    if (hasSignal && waiting === 1) watch();
    try {
      await output.write(text, options);
    } finally {
      waiting--;
      if (hasSignal) watch();
    }
    if (waiting > 0 || omitted === 0) return;
    const counted = omitted === 1 ? '1 more message was' : `${omitted} more messages were`;
    omitted = 0;
    await write(`(${counted} not printed: the output was blocked)\n`);
  };
  return {
    output: forwardOutput(output, { write }),
    onSignal() {
      hasSignal = true;
      watch();
    },
  };
}
