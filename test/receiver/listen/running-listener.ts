// `wm webhook listen` inside the test, with what it prints as it prints it, deliveries sent to it as the service sends them, and a
// program that it forwards to.

import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import { sign } from '#contract/signature.ts';
import { wordsOf } from '#test/support/program/cells.ts';
import { textsOf } from '#test/support/program/json-messages.ts';
import { type Ran, run } from '#test/support/program/program.ts';
import { listening } from '#test/support/service/listening.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import type { Environment, Input, Interruption, Output, Streams, World } from '#world/world.ts';

export const secret = 'a secret of twenty-eight letters';

export interface Listener {
  readonly port: number;
  /** The folder of settings and state. */
  readonly folder: string;
  /** Another command in that folder, without the secret. */
  wm(typed: string | readonly string[]): Promise<Ran>;
  readonly output: string;
  readonly errors: string;
  /** Resolves with the first match in what is printed, on either stream, now or later. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
  /** With --json: the records so far. */
  records(): readonly Printed[];
  /** The next record of this kind that was not waited for before. */
  next(kind: string): Promise<Printed>;
  interrupt(signal?: Interruption): void;
  /** Its end, by itself or by Ctrl-C. */
  readonly ended: Promise<Ran>;
  /** Ctrl-C, and its end. */
  stop(): Promise<Ran>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into records of every kind
export type Printed = Readonly<Record<string, any>>;

export interface ListenerSetting {
  /** Of settings and state; by default one of its own. */
  readonly folder?: string;
  readonly environment?: Environment;
  readonly world?: Partial<World>;
  readonly input?: Partial<Input>;
  /** What standard output is; by default it accepts everything. */
  readonly output?: Partial<Output>;
  /** Of a terminal. */
  readonly columns?: number;
}

/** Returns once it listens, on a free port if the flags name none. It is ended with the test. */
export async function listen(
  test: TestContext,
  typed: string | readonly string[],
  setting?: ListenerSetting,
): Promise<Listener> {
  const listener = startListener(test, typed, setting);
  const ready = listener.prints(/Listening on http:\/\/(?:[\d.]+|\[[\da-f:]+\]):(\d+)/);
  const port = await Promise.race([ready.then((match) => Number(match[1])), listener.ended]);
  if (typeof port !== 'number') assert.fail(`it ended with ${port.status}: ${port.errors}`);
  return Object.assign(listener, { port });
}

/** The same without waiting: it may not get so far. */
export function startListener(
  test: TestContext,
  typed: string | readonly string[],
  setting: ListenerSetting = {},
): Listener {
  const { environment = {}, world = {}, input, output: outputParts, columns } = setting;
  const folder = setting.folder ?? mkdtempSync(join(tmpdir(), 'wm-listen-'));
  const flags = wordsOf(typed);
  const own = { WM_CONFIG_DIR: folder, WM_WEBHOOK_SECRET: secret, ...environment };
  const texts = { output: '', errors: '' };
  const waiting = new Set<() => void>();
  const collect = (name: keyof typeof texts): Output => ({
    isTerminal: columns !== undefined,
    columns,
    write: async (text: string) => {
      texts[name] += name === 'errors' && columns === undefined ? textsOf(text) : text;
      for (const look of [...waiting]) look();
    },
    raw: new PassThrough(),
  });
  const streams: Streams = {
    input: { isTerminal: false, readAll: async () => new Uint8Array(), raw: Readable.from([]), ...input },
    output: { ...collect('output'), ...outputParts },
    errors: collect('errors'),
  };
  const signals = new Set<(signal: Interruption) => void>();
  const real = createWorld();
  const ended = run(['webhook', 'listen', ...(flags.includes('--port') ? [] : ['--port', '0']), ...flags], {
    environment: own,
    world: {
      files: createFiles(own, process.platform, folder),
      process: {
        ...real.process,
        // What belongs to the program is beside the built one.
        self: [process.execPath, resolve('bin/wm.js')],
        onInterrupt(hear) {
          signals.add(hear);
          return () => void signals.delete(hear);
        },
        onResume: () => () => {},
        // It would end the test.
        giveUpDisk: () => {},
      },
      ...world,
      streams,
    },
  }).then(({ status }) => ({ status, ...texts }));
  const interrupt = (signal: Interruption = 'SIGINT') => {
    for (const hear of [...signals]) hear(signal);
  };
  let nextIndex = 0;
  const records = () =>
    texts.output
      .split('\n')
      .slice(0, -1)
      .map((line): Printed => JSON.parse(line));
  const waitFor = <T>(what: string, find: () => T | undefined): Promise<T> =>
    new Promise((settle, reject) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        waiting.delete(look);
        settle(found);
      };
      waiting.add(look);
      look();
      void ended.then(({ status }) => {
        look();
        if (waiting.delete(look))
          reject(new Error(`it ended with ${status} before ${what}:\n${texts.output}\n${texts.errors}`));
      });
    });
  test.after(async () => {
    interrupt();
    interrupt();
    await ended;
  });
  return {
    port: 0,
    folder,
    wm: (words) => run(wordsOf(words), { environment: { WM_CONFIG_DIR: folder, ...environment } }),
    get output() {
      return texts.output;
    },
    get errors() {
      return texts.errors;
    },
    prints: (pattern) =>
      waitFor(String(pattern), () => pattern.exec(texts.errors) ?? pattern.exec(texts.output) ?? undefined),
    records,
    next: (kind) =>
      waitFor(`a record ${kind}`, () => {
        const all = records();
        const at = all.findIndex((record, index) => index >= nextIndex && record['kind'] === kind);
        if (at === -1) return undefined;
        nextIndex = at + 1;
        return all[at];
      }),
    interrupt,
    ended,
    async stop() {
      interrupt();
      return ended;
    },
  };
}

export interface Sent {
  readonly key?: string;
  readonly secret?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

/** Sends a delivery as the service does; the status of the response. */
export async function deliver(
  { port }: Pick<Listener, 'port'>,
  events: unknown,
  { key, secret: own = secret, headers = {}, path = '/' }: Sent = {},
): Promise<number> {
  const body = typeof events === 'string' ? events : JSON.stringify(events);
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    body,
    headers: {
      'Content-Type': 'application/json',
      'X-Hook-Signature': sign(own, body),
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      ...headers,
    },
  });
  return response.status;
}

export interface Forwarded {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly bytes: Buffer;
}

export interface TargetProgram {
  readonly url: string;
  readonly received: readonly Forwarded[];
  /** Of the deliveries that it has received. */
  numbers(): readonly number[];
  /** Resolves once it has received so many. */
  has(count: number): Promise<void>;
  /** Resolves once the condition holds, which is checked after each delivery. */
  until(reached: () => boolean): Promise<void>;
  /** From now on it responds with this status. */
  respond(status: number): void;
  /** From now on it does not respond, until it is released. */
  hold(): void;
  release(): void;
}

/** A program to forward to; `respond` says how it responds, by default with 200. */
export async function startTarget(
  test: Pick<TestContext, 'after'>,
  respond: number | ((response: ServerResponse, request: Forwarded) => void) = 200,
): Promise<TargetProgram> {
  const received: Forwarded[] = [];
  let respondNow = respond;
  const held: (() => void)[] = [];
  let isHolding = false;
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const bytes = Buffer.concat(parts);
      const forwarded = { method, path, headers, body: bytes.toString(), bytes };
      received.push(forwarded);
      const answer = () =>
        typeof respondNow === 'number'
          ? void response.writeHead(respondNow).end()
          : respondNow(response, forwarded);
      if (isHolding) held.push(answer);
      else answer();
      for (const look of [...waiting]) look();
    });
  });
  const until = (reached: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!reached()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  const port = await listening(server);
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    numbers: () => received.map(({ headers }) => Number(headers['x-wm-delivery'])),
    respond(status) {
      respondNow = status;
    },
    hold() {
      isHolding = true;
    },
    release() {
      isHolding = false;
      for (const answer of held.splice(0)) answer();
    },
    has: (count) => until(() => received.length >= count),
    until,
  };
}
