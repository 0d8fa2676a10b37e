// Plays the service towards a receiver that dies again and again: for each of several tasks one delivery after the other,
// each sent with the same key and bytes until it is acknowledged. It remembers what was acknowledged.

import { Agent, request } from 'node:http';
import { sign } from '#contract/signature.ts';

export interface HookSender {
  /** For each task, the number of its last acknowledged delivery: they count from 1. */
  readonly acknowledged: readonly number[];
  /** How many acknowledgements there were in all; a delivery that is sent again counts once more. */
  readonly responses: ReadonlyMap<number, number>;
  /** Resolves after this many more acknowledgements. */
  after(count: number): Promise<void>;
  /** The receiver is there (again): sends on. */
  resume(): void;
  /** The receiver is gone: waits for `resume`. */
  pause(): void;
  /** Sends nothing more, whatever is not acknowledged. */
  stop(): void;
  /** For each task one delivery more, which shows what is missing before it; resolves once all are acknowledged. */
  finish(): Promise<void>;
}

export const taskId = (task: number) => `IEAAAAAQKQ${String(task).padStart(6, '0')}`;

/** A receiver that stands still does not respond: then the service sends again. */
const responseMs = 10_000;

/**
 * `port`: with several receivers, each attempt asks for the one to send to. `mayGoOn`: resolves when the next delivery may be sent,
 * for a load that what follows can bear.
 */
export function startHookSender(
  port: number | (() => number),
  secret: string,
  tasks: number,
  mayGoOn: () => Promise<void> | undefined = () => undefined,
): HookSender {
  const agent = new Agent({ keepAlive: true, maxSockets: tasks });
  const acknowledged = Array.from({ length: tasks }, () => 0);
  const responses = new Map<number, number>();
  let waiting: { left: number; readonly done: () => void } | undefined;
  let isEnding = false;
  let gate: Promise<void> = Promise.resolve();
  let openGate = () => {};
  let isPaused = false;
  let isStopped = false;
  const sendOnce = (task: number, number: number): Promise<number | undefined> =>
    new Promise((resolve) => {
      const body = JSON.stringify([
        {
          webhookId: 'IEAAAAAQQQQQQQQQ',
          eventAuthorId: 'KUAAAAAA',
          eventType: 'TaskTitleChanged',
          lastUpdatedDate: '2026-02-02T09:00:00Z',
          taskId: taskId(task),
          oldValue: String(number - 1),
          title: String(number),
        },
      ]);
      const sent = request({
        agent,
        host: '127.0.0.1',
        port: typeof port === 'number' ? port : port(),
        method: 'POST',
        path: '/hook',
        timeout: responseMs,
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          'X-Hook-Signature': sign(secret, body),
          'Idempotency-Key': `${task}-${number}`,
        },
      });
      sent.on('error', () => resolve(undefined));
      sent.on('timeout', () => sent.destroy());
      sent.on('response', (response) => {
        response.resume();
        // A response that breaks off is no acknowledgement to the service, but its status has come.
        resolve(response.statusCode);
      });
      sent.end(body);
    });
  const lane = async (task: number) => {
    for (let number = 1; ; number++) {
      const isLast = isEnding;
      for (;;) {
        const status = await sendOnce(task, number);
        if (status !== undefined) responses.set(status, (responses.get(status) ?? 0) + 1);
        if (isStopped) return;
        if (status === 200) break;
        if (isPaused) await gate;
        else await new Promise((resolve) => setImmediate(resolve));
      }
      acknowledged[task] = number;
      if (waiting !== undefined && --waiting.left <= 0) waiting.done();
      if (isLast) return;
      if (isPaused) await gate;
      await mayGoOn();
    }
  };
  let lanes: Promise<unknown> | undefined;
  return {
    acknowledged,
    responses,
    after(count) {
      return new Promise((done) => {
        waiting = { left: count, done };
      });
    },
    resume() {
      isPaused = false;
      openGate();
      lanes ??= Promise.all(acknowledged.map((_, task) => lane(task)));
    },
    pause() {
      isPaused = true;
      gate = new Promise((resolve) => {
        openGate = resolve;
      });
    },
    stop() {
      isStopped = true;
      agent.destroy();
    },
    async finish() {
      isEnding = true;
      await lanes;
      agent.destroy();
    },
  };
}
