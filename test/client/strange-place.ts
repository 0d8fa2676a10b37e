// An emulator with a proxy before it. The proxy lets one request through or not, and in both cases responds with something else. What
// the program says afterwards is compared with the emulator's data.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emulatorEnvironment } from '#emulator/commands/environment.ts';
import { startEmulator } from '#emulator/emulator.ts';
import { readSeed } from '#emulator/seed/parse-seed.ts';
import { sample } from '#emulator/state/sample-ids.ts';
import { createTestClock } from '#test/support/clock.ts';
import type { Ending } from '#test/support/program/emulated.ts';
import { type Ran, run } from '#test/support/program/program.ts';
import { listening } from '#test/support/service/listening.ts';
import { send } from '#test/support/service/send.ts';
import { createWorld } from '#world/create-world.ts';
import type { Clock } from '#world/world.ts';
import type { Known, StrangeResponse } from '../witness/strange-responses.ts';
import {
  type AnyOperation,
  allOperations,
  batchOperations,
  type Call,
  type Created,
} from './strange-calls.ts';

export interface Result extends Ran {
  /** The emulator's data are not as they were before. */
  readonly isMade: boolean;
  /** How many requests got the strange response. */
  readonly replaced: number;
  /** The id of the record that no request named. */
  readonly otherId: string | undefined;
}

export interface Place {
  readonly created: Created;
  /** Runs a call whose operation gets the strange response: before its effect, which then never comes, or after it. */
  run(call: Call, strange: StrangeResponse, when: 'before' | 'after'): Promise<Result>;
  isPossible(call: Call, strange: StrangeResponse, when: 'before' | 'after'): boolean;
}

/** Lists at least two records of the kind. */
const recordsOfKind: Readonly<Record<string, string>> = {
  tasks: `/tasks/${sample.task},${sample.milestone},${sample.backlog}`,
  folders: `/folders/${sample.folder},${sample.subfolder}`,
  spaces: `/spaces/${sample.space},${sample.secondSpace}`,
  contacts: `/contacts/${sample.ada},${sample.ben}`,
  users: `/users/${sample.ada},${sample.ben}`,
  customfields: `/customfields/${sample.text},${sample.numeric}`,
  workflows: `/workflows/${sample.standardWorkflow},${sample.customWorkflow}`,
  webhooks: '/webhooks',
  comments: '/comments',
  timelogs: '/timelogs',
  attachments: '/attachments',
  groups: '/groups',
  invitations: '/invitations',
  dependencies: `/tasks/${sample.task}/dependencies`,
};

/** Every wait is over at once. */
function sleepless(): Clock {
  const clock = createTestClock();
  return { ...clock, sleep: async (milliseconds) => clock.advance(milliseconds) };
}

interface Body {
  readonly kind?: string;
  readonly data?: readonly { readonly id?: string }[];
}

export async function startPlace(test: Ending): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-strange-'));
  const world = createWorld();
  const first = await startEmulator(world, { fixedTokens: true });
  assert.ok(!('fault' in first));
  const askAt = async (baseUrl: string, path: string, method = 'GET', body?: string): Promise<Body> =>
    parse(
      (
        await send(`${baseUrl}${path}`, {
          method,
          headers: { Authorization: `Bearer ${first.token}`, 'X-File-Name': 'second.txt' },
          ...(body === undefined ? {} : { body }),
        })
      ).text,
    );
  const create = async (path: string, body?: string) =>
    (await askAt(first.baseUrl, path, 'POST', body)).data?.[0]?.id ?? '';
  const records = {
    webhook: await create('/webhooks?hookUrl=https://hooks.example.com/a'),
    secondWebhook: await create('/webhooks?hookUrl=https://hooks.example.com/b'),
    comment: await create(`/tasks/${sample.task}/comments?text=First`),
    timelog: await create(`/tasks/${sample.task}/timelogs?hours=1&trackedDate=2026-01-02`),
    group: await create('/groups?title=First'),
    invitation: await create('/invitations?email=first@example.com'),
  };
  await create('/groups?title=Second');
  await create('/invitations?email=second@example.com');
  await create(`/tasks/${sample.milestone}/comments?text=Second`);
  await create(`/tasks/${sample.milestone}/timelogs?hours=3&trackedDate=2026-01-02`);
  await create(`/tasks/${sample.milestone}/attachments`, 'x');
  await create(
    `/tasks/${sample.task}/dependencies?predecessorId=${sample.backlog}&relationType=FinishToStart`,
  );
  const seed = readSeed(await first.control('GET /seed'));
  assert.ok(!('problems' in seed));
  await first.close();
  // A reset then restores all of these.
  const emulator = await startEmulator(world, { fixedTokens: true, seed });
  assert.ok(!('fault' in emulator));
  const { host } = emulator;
  const ask = (path: string, method?: string) => askAt(emulator.baseUrl, path, method);
  await writeFile(join(folder, 'body.json'), '[]');
  await writeFile(
    join(folder, 'hooks.yaml'),
    'version: 1\nwebhooks:\n  - url: https://hooks.example.com/applied\n    scope: account\n    events: all\n',
  );
  await writeFile(join(folder, 'none.yaml'), 'version: 1\nwebhooks: []\n');
  await writeFile(join(folder, 'operations.json'), batchOperations);
  const [job] = (await ask(`/batch?operations=${encodeURIComponent(batchOperations)}`, 'POST')).data ?? [];
  const [dataExport] = (await ask('/data_export', 'POST')).data ?? [];
  const created: Created = { ...records, job: job?.id ?? '', dataExport: dataExport?.id ?? '', folder };
  const stateOf = async () => JSON.stringify(await emulator.control('GET /seed'));

  const others = new Map<string, readonly { readonly id?: string }[]>();
  for (const [kind, path] of Object.entries(recordsOfKind)) others.set(kind, (await ask(path)).data ?? []);
  const otherOf = (kind: string, path: string) =>
    others.get(kind)?.findLast(({ id }) => id !== undefined && !path.includes(id));

  let strangeNow: { call: Call; strange: StrangeResponse; when: 'before' | 'after' } | undefined;
  let replaced = 0;
  let otherId: string | undefined;

  /** The body that the service sends, or would send. */
  async function ownBody(method: string, path: string, operation: AnyOperation): Promise<Body> {
    const { kind, path: pattern } = allOperations[operation];
    if (method === 'GET' || /\{\w+\}$/.test(pattern)) return ask(path);
    return { kind, data: (others.get(kind) ?? []).slice(0, 1) };
  }

  async function forward(request: IncomingMessage, body: Buffer) {
    const { authorization = '', 'content-type': type, 'x-file-name': name } = request.headers;
    return send(`http://${host}${request.url}`, {
      method: request.method ?? 'GET',
      headers: {
        Authorization: authorization,
        ...(type === undefined ? {} : { 'Content-Type': type }),
        ...(typeof name === 'string' ? { 'X-File-Name': name } : {}),
      },
      ...(body.length === 0 ? {} : { body }),
    });
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const path = (request.url ?? '').replace('/api/v4', '');
    const [bare = ''] = path.split('?');
    const now = strangeNow;
    if (now === undefined || request.method !== methodOf(now.call) || !patternOf(now.call).test(bare)) {
      const received = await forward(request, body);
      response.writeHead(received.status, { 'Content-Type': received.headers.get('Content-Type') ?? '' });
      return void response.end(received.text);
    }
    replaced++;
    const { call, strange, when } = now;
    const { kind } = allOperations[call.operation];
    const own =
      when === 'after'
        ? parse((await forward(request, body)).text)
        : await ownBody(request.method ?? '', request.method === 'GET' ? path : bare, call.operation);
    const other = otherOf(kind, bare) ?? {};
    otherId = other.id;
    const known: Known = { kind: own.kind ?? kind, records: own.data ?? [], other };
    response.writeHead(strange.status, strange.headers);
    response.end(strange.status === 204 ? undefined : strange.body(known));
  });
  const port = await listening(server);
  test.after(async () => {
    server.close();
    server.closeAllConnections();
    await emulator.close();
  });

  const { WM_CONFIG_DIR: _, ...direct } = emulatorEnvironment({}, emulator, folder);
  const initial = await stateOf();
  return {
    created,
    async run(call, strange, when) {
      const config = await mkdtemp(join(folder, 'run-'));
      const environment = { ...direct, WM_CONFIG_DIR: config, WM_HOST: `127.0.0.1:${port}` };
      if (call.before) {
        const ran = await run(call.before, { environment });
        assert.equal(ran.status, 0, ran.errors);
      }
      const before = call.before ? await stateOf() : initial;
      strangeNow = { call, strange, when };
      replaced = 0;
      otherId = undefined;
      const { input } = call;
      const ran = await run(call.argv, {
        environment,
        ...(input === undefined ? {} : { input }),
        world: { clock: sleepless() },
      });
      strangeNow = undefined;
      // The next run would read the names of all that lie beside its own.
      await rm(config, { recursive: true });
      // A batch runs in a job, a second later.
      if (call.operation === 'batch') await emulator.control('POST /clock', { body: { advanceSeconds: 2 } });
      const after = methodOf(call) === 'GET' ? before : await stateOf();
      if (after !== initial) await emulator.control('POST /reset');
      return { ...ran, isMade: after !== before, replaced, otherId };
    },
    isPossible({ operation, argv }, { from, status, isOfAnotherKind = false }, when) {
      const { method, path, kind, ...row } = allOperations[operation];
      const isRead = method === 'GET';
      // A read has no effect, and the service rejects a change before it.
      if (when === 'after' && (isRead || from === 'service')) return false;
      // `wm api` takes any kind of list and, as the contract shows no response to a deletion, any success of one.
      if (argv[0] === 'api' && (isOfAnotherKind || (method === 'DELETE' && status < 300))) return false;
      // A file may be anything.
      if ('returnsFile' in row) return status >= 300;
      if (from !== 'records') return true;
      // Which records are in a list, only the service knows.
      return others.has(kind) && method !== 'DELETE' && (!isRead || /Ids?\}$/.test(path));
    },
  };
}

function methodOf({ operation }: Call): string {
  return allOperations[operation].method;
}

function patternOf({ operation }: Call): RegExp {
  return new RegExp(`^${allOperations[operation].path.replace(/\{\w+\}/g, '[^/]+')}$`);
}

/** Empty for the contents of a file. */
function parse(text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
