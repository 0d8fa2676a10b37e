// The program behind the receiver, as a judge: it knows for each task which delivery must come next, and counts what came again.

import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listening } from '#test/support/service/listening.ts';

export interface OrderedTarget {
  readonly url: string;
  /** For each task, the number of its last delivery. */
  readonly last: ReadonlyMap<string, number>;
  /** Those before the last of their task that have not come: `IEAA… 7`. */
  readonly missing: ReadonlySet<string>;
  /** Those that came after a later one of their task. */
  late(): number;
  /** The last delivery of a task came once more: its forwarder died between the response and its record on the disk. */
  repeats(): number;
  /** A delivery came once more, and after a later one of its task. */
  staleRepeats(): number;
  /** Resolves once the condition holds, which is checked after each delivery. */
  until(reached: () => boolean): Promise<void>;
  close(): void;
}

/** `onDelivery`: before it is judged. */
export async function startOrderedTarget(
  onDelivery: (delivery: string, headers: IncomingHttpHeaders) => void = () => {},
): Promise<OrderedTarget> {
  const last = new Map<string, number>();
  const missing = new Set<string>();
  let late = 0;
  let repeats = 0;
  let staleRepeats = 0;
  let check: (() => void) | undefined;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      const events: readonly { readonly taskId: string; readonly title: string }[] = JSON.parse(body);
      for (const { taskId, title } of events) {
        const number = Number(title);
        onDelivery(`${taskId} ${title}`, request.headers);
        const before = last.get(taskId) ?? 0;
        if (number === before) repeats++;
        else if (number < before) {
          if (missing.delete(`${taskId} ${number}`)) late++;
          else staleRepeats++;
        } else {
          for (let between = before + 1; between < number; between++) missing.add(`${taskId} ${between}`);
          last.set(taskId, number);
        }
      }
      response.end();
      check?.();
    });
  });
  const port = await listening(server);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    last,
    missing,
    late: () => late,
    repeats: () => repeats,
    staleRepeats: () => staleRepeats,
    until: (reached) =>
      new Promise((resolve) => {
        check = () => {
          if (reached()) resolve();
        };
        check();
      }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
