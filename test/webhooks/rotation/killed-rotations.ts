// Rotations of every kind, killed at a request and run again, and the state afterwards.

import assert from 'node:assert/strict';
import { type Kill, killingHttp } from '#test/support/program/killed-run.ts';
import { createWorld } from '#world/create-world.ts';
import { forget } from '../hooks-file/local-record.ts';
import { readLocal } from '../local-records.ts';
import { later, oldSecret, type Rotating, storedSecrets, unlimited } from './rotating.ts';

const { http } = createWorld();

interface Scene {
  readonly id: string;
  readonly words: readonly string[];
}

export interface Mode {
  readonly name: string;
  readonly bare: boolean;
  /** With the checks of the receiver, and kills at the requests to it too. */
  readonly verifies: boolean;
  /** Creates a webhook; returns the words that rotate its secret. */
  set(service: Rotating, name: string): Promise<Scene>;
}

export const modes: readonly Mode[] = [
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
      const words = ['webhook', 'rotate-secret', id, '--generate-secret', '--prepare', '-q'];
      const prepared = await service.wm(words);
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

/** Runs the rotation; if it is killed, a second time. */
export async function play(service: Rotating, mode: Mode, name: string, kill?: Kill) {
  const { id, words } = await mode.set(service, name);
  const rotate = (killing: ReturnType<typeof killingHttp>, world = {}) =>
    service.wm(
      ['webhook', 'rotate-secret', ...words, ...(mode.verifies ? unlimited : ['--no-verify']), '--yes'],
      {
        world: { ...killing.world, ...world },
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

/** The state afterwards, without ids, times and the name of this rotation. */
async function stateOf(service: Rotating, { id, name }: { readonly id: string; readonly name: string }) {
  const listed = await service.wm(['webhook', 'list', '--json', '-q']);
  const all: readonly { id: string; status: string; hookUrl: string }[] = JSON.parse(listed.output);
  const local = await readLocal(service.environment);
  const secrets = await storedSecrets(service);
  const own = all.filter(({ hookUrl }) => hookUrl.endsWith(`/${name}`));
  const roles = new Map(own.map((webhook) => [webhook.id, webhook.id === id ? 'old' : 'successor']));
  const plain = (text: string) => {
    const withoutName = text
      .replaceAll(name, 'NAME')
      .replaceAll(/[0-9a-f]{64}/g, 'GENERATED')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
    return [...roles, [id, 'old'] as const].reduce(
      (result, [from, to]) => result.replaceAll(from, to),
      withoutName,
    );
  };
  const webhooks = own.map(({ id: webhookId, status }) => {
    const { label, note, replaces, replacedBy, rotation } = local[webhookId] ?? {};
    return [
      roles.get(webhookId),
      status,
      service.recording.createdWith(webhookId) ?? '',
      `secret ${secrets.get(webhookId)}`,
      `label ${label}`,
      `note ${note?.text}`,
      `replaces ${replaces?.id} ${replaces?.to === undefined ? 'without' : 'with'} a window`,
      `replaced by ${replacedBy?.id}`,
      rotation ? 'under way' : 'complete',
    ].map((text) => plain(text ?? ''));
  });
  const pending = secrets.has(`${id} (new secret)`) || (secrets.has(id) && !roles.has(id));
  return [...webhooks.toSorted(), [`${pending ? 'a' : 'no'} secret is left behind`]];
}
