// Loaded into a Node process under test (NODE_OPTIONS=--require): all of its clocks and timers run FAST_CLOCK times as fast,
// so that a real stop of two seconds is longer than a time limit of half a minute.

'use strict';
const factor = Number(process.env['FAST_CLOCK']);
const { hrtime } = process;
const { now } = Date;
const { setTimeout } = globalThis;
const began = now();

Date.now = () => Math.round(began + (now() - began) * factor);
process.hrtime = Object.assign(() => {
  const nanoseconds = hrtime.bigint() * BigInt(factor);
  return [Number(nanoseconds / 1_000_000_000n), Number(nanoseconds % 1_000_000_000n)];
}, hrtime);
globalThis.setTimeout = Object.assign(
  (run, milliseconds, ...rest) => setTimeout(run, milliseconds / factor, ...rest),
  setTimeout,
);
