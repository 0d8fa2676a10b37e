// The streams of server-sent events to the open pages. Changes are collected and sent a few times a second. A page that does not
// read gets nothing until it does, and then the latest of each delivery: only numbers are kept for it, never text. After 30 seconds it
// is dropped; a page that is still open connects again.

import type { ServerResponse } from 'node:http';
import type { World } from '#world/world.ts';
import { type PageUpdate, shownDeliveries } from './page-messages.ts';
import { pageHeaders } from './page-responses.ts';

const collectMs = 100;
/** Moves the chart on while nothing happens, and finds connections that are gone. */
const heartbeatMs = 15_000;
const stalledMs = 30_000;
const mostStreams = 20;

/** Everything for `all`, otherwise what concerns these deliveries. */
export type DescribeUpdate = (changed: ReadonlySet<number> | 'all') => PageUpdate;

interface Stream {
  readonly response: ServerResponse;
  changed: Set<number> | 'all';
  isDue: boolean;
  cancelLimit: (() => void) | undefined;
}

export function createUpdateStreams({ clock }: Pick<World, 'clock'>, describe: DescribeUpdate) {
  const streams = new Set<Stream>();
  let cancelFlush: (() => void) | undefined;
  let cancelHeartbeat: (() => void) | undefined;

  const drop = (stream: Stream) => {
    streams.delete(stream);
    stream.cancelLimit?.();
    stream.response.destroy();
    if (streams.size === 0) cancelHeartbeat?.();
  };
  const send = (stream: Stream) => {
    const { response } = stream;
    if (!stream.isDue) return;
    if (response.writableNeedDrain) {
      stream.cancelLimit ??= clock.after(stalledMs, () => drop(stream));
      return;
    }
    const update = describe(stream.changed);
    stream.changed = new Set();
    stream.isDue = false;
    response.write(`data: ${JSON.stringify(update)}\n\n`);
  };
  const flush = () => {
    cancelFlush = undefined;
    for (const stream of streams) send(stream);
  };
  const beat = () => {
    for (const stream of streams) stream.isDue = true;
    flush();
    cancelHeartbeat = clock.after(heartbeatMs, beat);
  };
  return {
    /** Takes over the response. False if there are too many streams. */
    open(response: ServerResponse) {
      if (streams.size >= mostStreams) return false;
      const stream: Stream = { response, changed: 'all', isDue: true, cancelLimit: undefined };
      streams.add(stream);
      response.on('close', () => drop(stream));
      response.on('drain', () => {
        stream.cancelLimit?.();
        stream.cancelLimit = undefined;
        send(stream);
      });
      response.writeHead(200, { ...pageHeaders, 'Content-Type': 'text/event-stream' });
      // Connects again a second after the receiver was stopped, or dropped it.
      response.write('retry: 1000\n\n');
      send(stream);
      if (streams.size === 1) cancelHeartbeat = clock.after(heartbeatMs, beat);
      return true;
    },
    /** Each page gets everything again. */
    allChanged() {
      for (const stream of streams) {
        stream.isDue = true;
        stream.changed = 'all';
      }
      if (streams.size > 0) cancelFlush ??= clock.after(collectMs, flush);
    },
    /** How many pages are open. */
    count: () => streams.size,
    /** Something has changed; of a delivery if it has a number. */
    changed(sequence: number | undefined) {
      if (streams.size === 0) return;
      for (const stream of streams) {
        stream.isDue = true;
        if (sequence === undefined || stream.changed === 'all') continue;
        stream.changed.add(sequence);
        if (stream.changed.size > shownDeliveries) stream.changed = 'all';
      }
      cancelFlush ??= clock.after(collectMs, flush);
    },
    close() {
      cancelFlush?.();
      for (const stream of streams) drop(stream);
    },
  };
}
