// Sends server-sent events to the open pages a few times a second. For a page that does not read, it keeps only the numbers of changed
// deliveries. After 30 seconds it drops that page, which connects again if it is still open.

import { sanitizeJson } from '#terminal/sanitize.ts';
import type { Html } from '#web/html-template.ts';
import { pageHeaders } from '#web/web-page.ts';
import type { ServerResponse, World } from '#world/world.ts';
import { shownDeliveries } from './page-source.ts';

const collectMs = 100;
/** How often each page gets an update anyway, which moves the chart and finds broken connections. */
const heartbeatMs = 15_000;
const stalledMs = 30_000;
const mostStreams = 20;

interface Stream {
  readonly response: ServerResponse;
  /** What changed since the last update; `undefined` if nothing did. */
  due: Set<number> | 'all' | undefined;
  cancelLimit: (() => void) | undefined;
}

/** `draw`: draws everything for `all`, otherwise only these deliveries. */
export function createUpdateStreams(
  { clock }: Pick<World, 'clock'>,
  draw: (changed: ReadonlySet<number> | 'all') => Html,
) {
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
    if (stream.due === undefined) return;
    if (response.writableNeedDrain) {
      stream.cancelLimit ??= clock.after(stalledMs, () => drop(stream));
      return;
    }
    const update = sanitizeJson(draw(stream.due).text);
    stream.due = undefined;
    response.write(`data: ${update.replaceAll('\n', '\ndata: ')}\n\n`);
  };
  const flush = () => {
    cancelFlush = undefined;
    for (const stream of streams) send(stream);
  };
  const beat = () => {
    for (const stream of streams) stream.due ??= new Set();
    flush();
    cancelHeartbeat = clock.after(heartbeatMs, beat);
  };
  return {
    /** Takes over the response. Returns false if too many streams are open. */
    open(response: ServerResponse) {
      if (streams.size >= mostStreams) return false;
      const stream: Stream = { response, due: 'all', cancelLimit: undefined };
      streams.add(stream);
      response.on('close', () => drop(stream));
      response.on('drain', () => {
        stream.cancelLimit?.();
        stream.cancelLimit = undefined;
        send(stream);
      });
      response.writeHead(200, { ...pageHeaders, 'Content-Type': 'text/event-stream' });
      // Makes the page connect again a second after the receiver stops or drops it.
      response.write('retry: 1000\n\n');
      send(stream);
      if (streams.size === 1) cancelHeartbeat = clock.after(heartbeatMs, beat);
      return true;
    },
    count: () => streams.size,
    /** Reports a change, of the delivery with this number if it has one. */
    changed(sequence: number | 'all' | undefined) {
      if (streams.size === 0) return;
      for (const stream of streams) {
        stream.due ??= new Set();
        if (sequence === 'all') stream.due = 'all';
        if (sequence === undefined || sequence === 'all' || stream.due === 'all') continue;
        stream.due.add(sequence);
        if (stream.due.size > shownDeliveries) stream.due = 'all';
      }
      cancelFlush ??= clock.after(collectMs, flush);
    },
    close() {
      cancelFlush?.();
      for (const stream of streams) drop(stream);
    },
  };
}
