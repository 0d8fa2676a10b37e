// Starts an emulator for one test on free ports, with the real network and a clock that only the test moves, and stops it
// when the test ends.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from '#emulator/emulator.ts';
import { FreezeTolerantTimeLimit } from '#world/clock.ts';
import { createHttp } from '#world/http.ts';
import { randomBytes } from '#world/random.ts';
import { createServer } from '#world/server.ts';
import type { Clock } from '#world/world.ts';
import { type Received, type Sent, send } from './send.ts';

/** 2026-03-02T12:00:00Z, a Monday. */
export const start = Date.UTC(2026, 2, 2, 12);

export interface HandClock extends Clock {
  /** Moves on, running what falls due. */
  move(milliseconds: number): void;
}

export function handClock(): HandClock {
  let now = start;
  let timers: { due: number; run: () => void }[] = [];
  const after = (milliseconds: number, run: () => void) => {
    const timer = { due: now + milliseconds, run };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  };
  const monotonic = () => now;
  const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const times = { now: monotonic, monotonic, nextTurn };
  return {
    ...times,
    limit: (milliseconds, onEnd) => new FreezeTolerantTimeLimit(times, after, milliseconds, onEnd),
    after,
    sleep: () => Promise.resolve(),
    move(milliseconds) {
      const until = now + milliseconds;
      for (;;) {
        const [next] = timers.filter(({ due }) => due <= until).sort((a, b) => a.due - b.due);
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        now = Math.max(now, next.due);
        next.run();
      }
      now = until;
    },
  };
}

export interface Started extends RunningEmulator {
  readonly clock: HandClock;
  readonly logged: string[];
}

export async function started(test: TestContext, options: EmulatorOptions = {}): Promise<Started> {
  const clock = handClock();
  const logged: string[] = [];
  const running = await startEmulator(
    { server: createServer(), http: createHttp({}), clock, randomBytes },
    { log: (line) => logged.push(line), fixedTokens: true, ...options },
  );
  assert.ok(!('fault' in running));
  test.after(() => running.close());
  return { ...running, clock, logged };
}

export interface Reply {
  readonly status: number;
  readonly headers: Received['headers'];
  readonly body: Body;
}

export interface Body {
  readonly kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
  readonly data: any[];
  readonly error: string;
  readonly errorDescription: string;
  readonly state: string;
  readonly nextPageToken: string;
  readonly responseSize: number;
}

export interface Asked extends Sent {
  /** Parameters as a form; what is not text is written as JSON. */
  readonly form?: Record<string, unknown>;
  /** A body of JSON. */
  readonly json?: unknown;
  /** In place of the permanent one. */
  readonly token?: string | undefined;
}

/** Sends one request of the API with the permanent token, and reads its answer. */
export async function call(
  emulator: Pick<RunningEmulator, 'baseUrl' | 'token'>,
  method: string,
  path: string,
  { form, json, token = emulator.token, ...init }: Asked = {},
): Promise<Reply> {
  const { status, headers, text } = await send(`${emulator.baseUrl}${path}`, {
    method,
    ...(form === undefined ? {} : { body: new URLSearchParams(query(form)) }),
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...init,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...init.headers,
    },
  });
  return { status, headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** A query with every value percent-encoded; what is not text is written as JSON. */
export function query(parameters: Record<string, unknown>): string {
  return Object.entries(parameters)
    .map(
      ([name, value]) =>
        `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
    )
    .join('&');
}

/** Updates a task and gives back its record; fails where the answer is not 200. */
export async function update(
  emulator: RunningEmulator,
  parameters: Record<string, unknown>,
  taskId: string = emulator.sampleTask,
) {
  const { status, body } = await call(emulator, 'PUT', `/tasks/${taskId}?${query(parameters)}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data[0];
}

/** Updates a task that must be refused, and gives back the error. */
export async function rejectedUpdate(
  emulator: RunningEmulator,
  parameters: Record<string, unknown>,
  taskId: string = emulator.sampleTask,
): Promise<{ status: number; error: string; description: string }> {
  const { status, body } = await call(emulator, 'PUT', `/tasks/${taskId}?${query(parameters)}`);
  return { status, error: body.error, description: body.errorDescription };
}
