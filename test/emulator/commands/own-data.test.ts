// An application and a seed of the user's own: as `wm emulator exec` and `start` take them, and what they say of mistakes.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parseYaml } from '#cli/yaml-document.ts';
import { readSeed } from '#emulator/seed/parse-seed.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { startWith } from './in-process.ts';

async function file(t: TestContext, name: string, text: string): Promise<string> {
  const folder = await ownFolder(t);
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

test('a snapshot in YAML has the same data as in JSON, and is a seed', async (t) => {
  const { wm, control } = await emulated(t);
  await control('tasks', { count: 2 });
  const json = JSON.parse((await wm(['emulator', 'snapshot', '--json'])).output);
  const { output } = await wm(['emulator', 'snapshot']);
  const parsed = parseYaml(output);
  assert.ok(!('problems' in parsed));
  const toValue = (node: typeof parsed.root): unknown => {
    if (node.kind === 'scalar') return node.value;
    if (node.kind === 'list') return node.items.map(toValue);
    return Object.fromEntries(node.members.map(({ name, value }) => [name, toValue(value)]));
  };
  assert.deepEqual(toValue(parsed.root), json);
  assert.ok(!('problems' in readSeed(json)));
  assert.match(output, /^# Data of wm's emulator\. To start one with it: wm emulator start --seed FILE\n/);
});

const uris = ['https://app.example.com/cb', 'http://localhost:3000/cb?x=1'];

test('a program that emulator exec runs gets the application of the flags', async () => {
  const application = ['--client-id', 'mine', '--redirect-uri', uris[0] ?? ''];
  const program = `process.exit(process.env.WM_CLIENT_ID === 'mine' ? 0 : 3)`;
  await run(['emulator', 'exec', ...application, '--', process.execPath, '-e', program], { exit: 0 });
});

test('an application of the user signs in with its own redirect URIs and no others', async (t) => {
  const { emulator } = await emulated(t, {
    application: { clientId: 'mine', clientSecret: 's3cret', redirectUris: uris },
  });
  assert.deepEqual([emulator.clientId, emulator.clientSecret], ['mine', 's3cret']);
  const page = async (redirect: string) => {
    const query = new URLSearchParams({ client_id: 'mine', response_type: 'code', redirect_uri: redirect });
    return (await fetch(`${emulator.authUrl}/oauth2/authorize/v4?${query}`)).status;
  };
  for (const uri of uris) assert.equal(await page(uri), 200, uri);
  for (const uri of [
    'https://app.example.com/cb2',
    'http://localhost:3001/cb?x=1',
    'http://127.0.0.1:3000/cb?x=1',
  ])
    assert.equal(await page(uri), 400, uri);
  // The printed token belongs to it, so that its own webhooks are listed.
  const created = await call(emulator, 'POST', '/webhooks?hookUrl=https%3A%2F%2Fhooks.example.com%2Fx');
  assert.equal(created.status, 200);
  const seed = await (await fetch(`${emulator.controlUrl}/seed`)).json();
  assert.equal((seed as { webhooks: { applicationId: string }[] }).webhooks[0]?.applicationId, 'mine');
  await fetch(`${emulator.controlUrl}/reset`, { method: 'POST' });
  assert.equal(await page(uris[0] ?? ''), 200, 'a reset keeps it');
});

test('an application can be registered while the emulator runs', async (t) => {
  const { control, emulator } = await emulated(t);
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  const register = async (body: object): Promise<any> => control('applications', body);
  const { applications } = await register({ clientId: 'late', redirectUris: uris });
  assert.deepEqual([applications[0].redirectUris, applications[0].anyLoopback], [uris, false]);
  assert.match(applications[0].clientSecret, /^\w{64}$/);
  const again = await register({ clientId: 'late', name: 'Late' });
  assert.deepEqual(again.applications[0], { ...applications[0], name: 'Late' });
  const listed = await emulator.control('GET /applications');
  assert.deepEqual(listed.applications.at(-1), again.applications[0]);
  for (const body of [
    { clientId: 'x', redirectUris: ['app://x'] },
    { clientId: 'x', redirectUris: ['https://a/#b'] },
    {},
  ]) {
    const response = await fetch(`${emulator.controlUrl}/applications`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 400, JSON.stringify(body));
  }
});

test('a seed fills a data file once; the application keeps its secret', async (t) => {
  const dataFile = await file(t, 'unused', '').then((path) => path.replace(/unused$/, 'data.json'));
  const seed = readSeed({ version: 1, tasks: [{ title: 'Launch' }] });
  assert.ok(!('problems' in seed));
  const options = { dataFile, seed, application: { clientId: 'mine' } };
  const first = await emulated(t, options);
  const { sampleTask: id } = first.emulator;
  assert.equal((await call(first.emulator, 'PUT', `/tasks/${id}?title=Changed`)).status, 200);
  await first.emulator.close();
  const second = await emulated(t, options);
  assert.equal((await second.task(id)).title, 'Changed');
  assert.equal(second.emulator.clientSecret, first.emulator.clientSecret);
  await second.control('reset');
  assert.equal((await second.task(id)).title, 'Launch', 'a reset restores the seed');
});

test('the application of the user accepts the sign-in command that start prints', async (t) => {
  const { printed, stop } = await startWith(['--client-id', 'my&app', '--redirect-uri', uris[1] ?? '']);
  t.after(stop);
  const login = / (wm login .*)$/m.exec(printed)?.[1];
  const quote = process.platform === 'win32' ? '"' : "'";
  assert.ok(
    login?.endsWith(
      ` --client-id ${quote}my&app${quote} --redirect-uri ${quote}http://localhost:3000/cb?x=1${quote}`,
    ),
    login,
  );
});

test('the front page shows the application, and a user without a last name has no trailing space', async (t) => {
  const seed = readSeed({ version: 1, users: [{ firstName: 'Mia', admin: true }] });
  assert.ok(!('problems' in seed));
  const { emulator, wm } = await emulated(t, {
    seed,
    application: { clientId: 'mine', redirectUris: uris.slice(0, 1) },
  });
  const page = await (await fetch(emulator.authUrl)).text();
  assert.match(page, /<dt>Client id<\/dt><dd><code>mine<\/code>/);
  assert.match((await wm(['emulator', 'user'])).output, /\tMia\t/);
  const query = new URLSearchParams({ client_id: 'mine', response_type: 'code' });
  const consent = await (await fetch(`${emulator.authUrl}/oauth2/authorize/v4?${query}`)).text();
  assert.match(consent, /\bMia</);
});

test('a token whose user was removed from the data file is unknown', async (t) => {
  const dataFile = await file(t, 'unused', '').then((path) => path.replace(/unused$/, 'data.json'));
  const { emulator } = await emulated(t, { dataFile });
  await emulator.close();
  const data = JSON.parse(await readFile(dataFile, 'utf8'));
  const ben = 'KUAABENQ';
  data.users = data.users.filter(({ id }: { id: string }) => id !== ben);
  await writeFile(dataFile, JSON.stringify(data));
  const { emulator: edited } = await emulated(t, { dataFile });
  const headers = { Authorization: `Bearer ${edited.tokens.ben}` };
  assert.equal((await call(edited, 'GET', '/account', { headers })).status, 401);
  assert.ok((await (await fetch(edited.authUrl)).text()).includes(`<td class="whole">${ben}</td>`));
  assert.equal((await call(edited, 'GET', '/account')).status, 200);
});

test('a snapshot names the users whose contents it leaves out', async (t) => {
  const { emulator, wm } = await emulated(t);
  const snapshot = async () => {
    const { status, output, errors } = await wm(['emulator', 'snapshot']);
    assert.equal(status, 0);
    assert.match(output, /^version: 1$/m);
    return errors;
  };
  assert.equal(await snapshot(), '');
  const attach = (content: string) =>
    fetch(`${emulator.baseUrl}/tasks/${emulator.sampleTask}/attachments`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${emulator.token}`, 'X-File-Name': 'a.txt' },
      body: content,
    });
  await attach('a');
  await attach('');
  assert.match(await snapshot(), /^The contents of an attachment are not in it/);
  await attach('b');
  assert.match(await snapshot(), /^The contents of 2 attachments are not in it/);
});
