// Commands that send with a token, at a service that echoes what it was sent: nothing secret is shown or filed.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createHurriedClock } from '#test/support/clock.ts';
import { run } from '#test/support/program/program.ts';
import { canaries, echoes, echoOf, goodEcho, noCanary, noCanaryInFiles } from '#test/support/service/echo.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import { hook, hookId, hooks, taskId } from '#test/support/service/scripted-service.ts';
import { createFiles } from '#world/files.ts';

interface Line {
  readonly typed: readonly string[];
  readonly kind: string;
  readonly id: string;
  /** Takes its time by the real clock: its progress has one of its own. */
  readonly isBulk?: true;
  /** What comes before the request that is echoed, by its first line. */
  readonly beside?: (request: string) => string | undefined;
}

const task = { kind: 'tasks', id: taskId };
const webhook = { kind: 'webhooks', id: hookId };
const looked = (request: string) =>
  request.startsWith('GET') ? jsonReply(200, hooks({ ...hook, status: 'Suspended' })) : undefined;
const active = (request: string) => (request.startsWith('GET') ? jsonReply(200, hooks(hook)) : undefined);
const none = (request: string) => (request.startsWith('GET') ? jsonReply(200, hooks()) : undefined);

const lines: Readonly<Record<string, Line>> = {
  whoami: { typed: ['whoami'], kind: 'contacts', id: 'KUAAAAAA' },
  doctor: { typed: ['doctor'], kind: 'contacts', id: 'KUAAAAAA' },
  'task get': { typed: ['task', 'get', taskId], ...task },
  'task get, several': { typed: ['task', 'get', taskId, 'IEAAAAAQKQAB5BNH'], ...task },
  'task update': { typed: ['task', 'update', taskId, '--title', 'x'], ...task },
  'task update by name': { typed: ['task', 'update', taskId, '--add-responsibles', 'Ada'], ...task },
  'task update, several': {
    typed: ['task', 'update', taskId, 'IEAAAAAQKQAB5BNH', '--title', 'x', '--yes'],
    ...task,
    isBulk: true,
  },
  'task update from a file': {
    typed: ['task', 'update', '--from', 'ROWS', '--yes', '--no-undoable', '--errors', 'ERRORS', '--restart'],
    ...task,
    isBulk: true,
  },
  'task undo': { typed: ['task', 'undo', taskId, '--yes'], ...task },
  'webhook list': { typed: ['webhook', 'list'], ...webhook },
  'webhook get': { typed: ['webhook', 'get', hookId], ...webhook },
  'webhook create': { typed: ['webhook', 'create', 'https://example.com/hook', '--yes'], ...webhook },
  'webhook create, after a look': {
    typed: ['webhook', 'create', 'https://example.com/hook', '--yes'],
    ...webhook,
    beside: none,
  },
  'webhook suspend': { typed: ['webhook', 'suspend', hookId, '--yes'], ...webhook, beside: active },
  'webhook resume': { typed: ['webhook', 'resume', hookId, '--yes'], ...webhook, beside: looked },
  'webhook delete': { typed: ['webhook', 'delete', hookId, '--yes'], ...webhook },
  'webhook delete, after a look': {
    typed: ['webhook', 'delete', hookId, '--yes'],
    ...webhook,
    beside: active,
  },
  'emulator clock': { typed: ['emulator', 'clock'], ...task },
  'emulator emit': { typed: ['emulator', 'emit', 'TaskCreated', taskId], ...task },
};

/** A folder for all the tests of a file, with the rows of a bulk update in it. */
function folderForAll(): { path: string } {
  const folder = { path: '' };
  before(async () => {
    folder.path = await mkdtemp(join(tmpdir(), 'wm-echo-'));
    await writeFile(join(folder.path, 'rows.csv'), `id,title\n${taskId},a\nIEAAAAAQKQAB5BNH,b\n`);
  });
  after(() => rm(folder.path, { recursive: true }));
  return folder;
}

async function echoed(
  folder: string,
  line: Line,
  flags: readonly string[],
  reply: (request: string) => string,
  where: string,
  hookSecret: string | undefined,
) {
  let sawToken = false;
  const server = await startRawServer((request) => {
    sawToken ||= request.includes(canaries.token);
    return line.beside?.(request) ?? Buffer.from(reply(request)).toString();
  });
  const own = await mkdtemp(join(folder, 'config-'));
  const environment = {
    WM_TOKEN: canaries.token,
    WM_HOST: server.host,
    WM_WEBHOOK_SECRET: hookSecret,
    WM_CLIENT_SECRET: canaries.client,
    WM_EMULATOR_URL: `http://${server.host}`,
    WM_CONFIG_DIR: own,
    WM_DEBUG: '1',
  };
  const places: Readonly<Record<string, string>> = {
    ROWS: join(folder, 'rows.csv'),
    ERRORS: join(own, 'errors.csv'),
  };
  const typed = [...line.typed, ...flags].map((word) => places[word] ?? word);
  try {
    const ran = await run(typed, {
      environment,
      world: {
        files: createFiles(environment, process.platform),
        ...(line.isBulk ? {} : { clock: createHurriedClock() }),
      },
    });
    noCanary(ran.output, `${where}, standard output`);
    noCanary(ran.errors, `${where}, standard error`);
    await noCanaryInFiles(own);
    return { ...ran, sawToken };
  } finally {
    await server.close();
    await rm(own, { recursive: true });
  }
}

/** Which kinds of response each command gets, and with which flags; the rest is for another suite. */
export type Choice = (
  command: number,
  kinds: readonly string[],
) => Iterable<readonly [kind: string, flags: readonly (readonly string[])[]]>;

export function testEchoes(choose: Choice): void {
  const folder = folderForAll();
  for (const [index, [name, line]] of Object.entries(lines).entries()) {
    test(`${name}: an echoed secret is not shown`, async () => {
      let sawToken = false;
      for (const [how, flagLists] of choose(index, Object.keys(echoes))) {
        const reply = echoes[how];
        assert.ok(reply);
        for (const flags of line.isBulk ? [['--verbose', '--json']] : flagLists) {
          const description = `${name} ${flags.join(' ')}: ${how}`;
          let count = 0;
          // A bulk run waits until it is over.
          const passing = (line.isBulk && /^(408|429|5|a web page)/.test(how) && echoes['400']) || reply;
          const chosen = () => (count++ < 1 ? reply : passing);
          const ran = await echoed(
            folder.path,
            line,
            flags,
            (request) => chosen()(echoOf(request), line.kind),
            description,
            canaries.hook,
          );
          sawToken ||= ran.sawToken;
          assert.doesNotMatch(ran.errors, /bug in wm/, description);
        }
      }
      assert.equal(sawToken, !name.startsWith('emulator') && name !== 'task undo', 'the service did get it');
    });
  }
}

/** What echoes here is a record, in which a webhook's secret may stand. */
export function testGoodEchoes(): void {
  const folder = folderForAll();
  for (const [name, line] of Object.entries(lines)) {
    test(`${name}: a good response that echoes a secret does not show it`, async () => {
      for (const flags of [[], ['--json']]) {
        const description = `${name} ${flags.join(' ')}: good`;
        const reply = (request: string) => goodEcho(request, line.kind, line.id);
        await echoed(folder.path, line, flags, reply, description, undefined);
      }
    });
  }
}
