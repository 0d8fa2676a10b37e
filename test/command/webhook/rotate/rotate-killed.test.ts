// `wm webhook rotate-secret`, killed at each of its requests, to the service and to the receiver, and run again with the same
// arguments: the state is the same each time, with one successor. And killed once as a real process.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { createWorld } from '../../../../src/world/create-world.ts';
import { forget } from '../file/local-record.ts';
import { readLocal } from '../local-records.ts';
import { killingHttp } from './killed-run.ts';
import {
  later,
  newSecret,
  oldSecret,
  type Rotating,
  rotating,
  storedSecrets,
  unlimited,
} from './rotating.ts';

const { http } = createWorld();

interface Scene {
  readonly id: string;
  readonly words: readonly string[];
}

interface Mode {
  readonly name: string;
  readonly bare: boolean;
  /** With the checks of the receiver, and kills at the requests to it too. */
  readonly verifies: boolean;
  /** Puts a webhook there; the words that rotate its secret. */
  set(service: Rotating, name: string): Promise<Scene>;
}

const modes: readonly Mode[] = [
  {
    name: 'by its label, with a stored secret; the old one is suspended',
    bare: false,
    verifies: true,
    async set(service, name) {
      const id = await service.create(name);
      await service.wm(['webhook', 'label', id, `the ${name}`]);
      await service.wm(['webhook', 'secret', id, '--store', '-q'], {
        environment: { WM_WEBHOOK_SECRET: oldSecret },
      });
      return { id, words: [`the ${name}`, '--secret-file', service.secretFile] };
    },
  },
  {
    name: 'by its URL, with a generated secret; the old one is deleted; --bare',
    bare: true,
    verifies: false,
    async set(service, name) {
      const id = await service.create(name, ['--events', 'TaskCreated', '--payload-fields', 'title']);
      const prepared = await service.wm([
        'webhook',
        'rotate-secret',
        id,
        '--generate-secret',
        '--prepare',
        '-q',
      ]);
      service.knows.add(prepared.output.trim());
      const url = `http://127.0.0.1:${service.receiver.port}/${name}`;
      return { id, words: [url, '--generate-secret', '--store-secret', '--old', 'delete'] };
    },
  },
  {
    name: 'one that is suspended; --bare',
    bare: true,
    verifies: false,
    async set(service, name) {
      const id = await service.create(name);
      await service.wm(['webhook', 'suspend', id, '--note', 'ticket 4711', '--yes', '-q']);
      return { id, words: [id, '--secret-file', service.secretFile] };
    },
  },
  {
    name: 'one that another machine created; --bare',
    bare: true,
    verifies: false,
    async set(service, name) {
      const id = await service.create(name, []);
      const local = await readLocal(service.environment).catch(() => ({}));
      assert.ok(Object.hasOwn(local, id));
      await forget(service);
      const flags = ['--account', '--all-events', '--all-item-types'];
      return { id, words: [id, '--secret-file', service.secretFile, ...flags] };
    },
  },
];

for (const mode of modes) {
  test(`killed at each request, and run again: ${mode.name}`, async (context) => {
    const service = await rotating(context, { mode: mode.bare ? 'bare' : 'default' });
    const whole = await play(service, mode, 'whole');
    const isOfReceiver = (request: string) => !request.includes('/api/v4/');
    assert.ok(whole.requests.filter((one) => !isOfReceiver(one)).length >= 6, whole.requests.join('\n'));
    assert.equal(whole.requests.some(isOfReceiver), mode.verifies);
    for (const [index, request] of whole.requests.entries()) {
      // A receiver that has had the request is no other state.
      for (const when of isOfReceiver(request) ? (['before'] as const) : (['before', 'after'] as const)) {
        const kill = { at: index + 1, when };
        const { state } = await play(service, mode, `hook-${index}-${when}`, kill);
        assert.deepEqual(state, whole.state, `killed ${when} request ${index + 1}: ${request}`);
      }
    }
  });
}

/** Runs it, killed or not, and a second time if it was killed. */
async function play(
  service: Rotating,
  mode: Mode,
  name: string,
  kill?: { readonly at: number; readonly when: 'before' | 'after' },
) {
  const { id, words } = await mode.set(service, name);
  const rotate = (killing: ReturnType<typeof killingHttp>, world = {}) =>
    service.wm(
      ['webhook', 'rotate-secret', ...words, ...(mode.verifies ? unlimited : ['--no-verify']), '--yes'],
      {
        world: { http: killing.http, ...world },
      },
    );
  const first = killingHttp(http, kill);
  const ended = await Promise.race([rotate(first), first.killed]);
  if (kill) {
    assert.equal(ended, 'killed');
    const again = await rotate(killingHttp(http), later());
    assert.equal(again.status, 0, `${name}: ${again.errors}`);
  } else {
    assert.ok(ended !== 'killed');
    assert.equal(ended.status, 0, ended.errors);
  }
  return { requests: first.requests, state: await stateOf(service, { id, name }) };
}

/** Everything that is there afterwards, without ids, times and names of this one. */
async function stateOf(service: Rotating, { id, name }: { readonly id: string; readonly name: string }) {
  const listed = await service.wm(['webhook', 'list', '--json', '-q']);
  const all: readonly { id: string; status: string; hookUrl: string }[] = JSON.parse(listed.output);
  const local = await readLocal(service.environment);
  const secrets = await storedSecrets(service);
  const own = all.filter(({ hookUrl }) => hookUrl.endsWith(`/${name}`));
  const known = new Map(own.map((one) => [one.id, one.id === id ? 'old' : 'successor']));
  const plain = (text: string) => {
    const withoutName = text.replaceAll(name, 'NAME').replaceAll(/[0-9a-f]{64}/g, 'GENERATED');
    return [...known, [id, 'old'] as const].reduce(
      (one, [from, to]) => one.replaceAll(from, to),
      withoutName,
    );
  };
  const webhooks = own.map(({ id: one, status }) => {
    const { label, note, replaces, replacedBy, rotation } = local[one] ?? {};
    return [
      known.get(one),
      status,
      service.recording.createdWith(one) ?? '',
      `secret ${secrets.get(one)}`,
      `label ${label}`,
      `note ${note?.text}`,
      `replaces ${replaces?.id} ${replaces?.to === undefined ? 'without' : 'with'} a window`,
      `replaced by ${replacedBy?.id}`,
      rotation ? 'under way' : 'complete',
    ].map((text) => plain(text ?? ''));
  });
  const pending = secrets.has(`${id} (new secret)`) || (secrets.has(id) && !known.has(id));
  return [...webhooks.toSorted(), [`${pending ? 'a' : 'no'} secret is left behind`]];
}

test('killed as a process, after the service has created the successor', async (context) => {
  const service = await rotating(context);
  const { environment, recording, secretFile } = service;
  const id = await service.create();
  const words = ['webhook', 'rotate-secret', id, '--secret-file', secretFile, '--no-verify', '--yes'];
  const child = spawn(process.execPath, [resolve('bin/wm.js'), ...words], {
    env: { ...environment, PATH: process.env['PATH'] },
    stdio: 'ignore',
  });
  recording.watch({ at: 3, when: 'after', stop: () => child.kill('SIGKILL') });
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL']);
  recording.watch();
  assert.equal((await service.state()).length, 2);
  const again = await service.wm(words, { world: later() });
  assert.equal(again.status, 0, again.errors);
  const [, successor = ''] =
    /^The service lists the successor that an earlier request created: (\w+)$/m.exec(again.errors) ?? [];
  assert.match(recording.createdWith(successor) ?? '', new RegExp(`&secret=${newSecret}(&|$)`));
  assert.deepEqual(await service.state(), ['Active /hook', 'Suspended /hook']);
});
