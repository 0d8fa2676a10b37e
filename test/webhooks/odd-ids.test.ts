// Ids for which the contract shows no pattern are shown as they are: a list does not fail because of one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../program.ts';
import { jsonReply, startRawServer } from '../raw-server.ts';

const odd = ['a/b', 'x'.repeat(257), 'a b,c'];

for (const [command, kind, record] of [
  ['webhook list', 'webhooks', { hookUrl: 'https://hooks.example.com/', status: 'Active' }],
  ['contact list', 'contacts', { firstName: 'Editors', lastName: '', type: 'Group' }],
] as const)
  test(`${command} shows ids of any form`, async (t) => {
    const data = odd.map((id) => ({ id, ...record }));
    const server = await startRawServer(() => jsonReply(200, { kind, data }));
    t.after(() => server.close());
    const environment = { WM_HOST: server.host, WM_TOKEN: 'token-of-a-test' };
    const { status, output, errors } = await run([...command.split(' '), '--json', '-q'], { environment });
    assert.deepEqual([status, errors], [0, '']);
    assert.deepEqual(
      output
        .trim()
        .split('\n')
        .flatMap((line) => JSON.parse(line))
        .map(({ id }: { id: string }) => id),
      odd,
    );
  });
