// `wm whoami`: who a token stands for, in the words of accounts that lack a name, and where the service does not say.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import { askAt } from '#test/support/service/scripted-service.ts';

const account = { id: 'IEAAAAAQ', name: 'Example' };
const user = { id: 'KUAAAAAQ', firstName: 'Ada', lastName: 'Lovelace', me: true };

/** Asks a service that has these accounts and contacts. */
async function whoami(t: TestContext, accounts: readonly object[], contacts: readonly object[]) {
  const server = await startRawServer((request) =>
    jsonReply(
      200,
      request.includes('/account')
        ? { kind: 'accounts', data: accounts }
        : { kind: 'contacts', data: contacts },
    ),
  );
  t.after(() => server.close());
  return askAt(server, ['whoami', '--json']);
}

test('the contact marked as me is the user, wherever it is in the list', async (t) => {
  const other = { id: 'KUAAAAAR', firstName: 'Another', me: false };
  const { status, output, errors } = await whoami(t, [account], [other, user]);
  assert.equal(status, 0, errors);
  const { user: name, userId, account: accountName, accountId } = JSON.parse(output);
  assert.deepEqual([name, userId, accountName, accountId], ['Ada Lovelace', user.id, 'Example', account.id]);
});

test('shows the id for a record without a name; without a marked contact, the first is the user', async (t) => {
  const { output, errors } = await whoami(t, [{ id: account.id }], [{ id: user.id }]);
  const { user: name, account: accountName } = JSON.parse(output || errors);
  assert.deepEqual([name, accountName], [user.id, account.id]);
  const half = await whoami(t, [account], [{ id: user.id, lastName: 'Lovelace' }]);
  assert.equal(JSON.parse(half.output).user, 'Lovelace');
});

for (const [about, accounts, contacts] of [
  ['no account', [], [user]],
  ['no contact', [account], []],
] as const) {
  test(`${about}: fails and says so`, async (t) => {
    const { status, output, errors } = await whoami(t, accounts, contacts);
    assert.equal(status, 1, errors);
    assert.equal(output, '');
    assert.equal(JSON.parse(errors).error.message, "The service's response does not name the token's user");
  });
}

test('--dry-run shows both requests and sends none', async (t) => {
  const { wm, emulator } = await emulated(t);
  const ran = await wm(['whoami', '--dry-run'], { exit: 0 });
  const requests = ran.output.split('\n').filter((line) => line.startsWith('GET '));
  assert.deepEqual(
    requests.map((line) => line.replace(`http://${emulator.host}`, '')),
    ['GET /api/v4/account', 'GET /api/v4/contacts?me=true'],
  );
  const curl = await wm(['whoami', '--curl']);
  assert.equal(curl.output.match(/^curl /gm)?.length, 2, curl.output);
});
