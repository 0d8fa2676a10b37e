// Flags that several commands share, and any of them could ignore: where the secret comes from, whether samples may go to a private
// address, and how long a response may take.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import type { Ran } from '#test/support/program/program.ts';
import { createWorld } from '#world/create-world.ts';
import type { World } from '#world/world.ts';
import { hmac, respondRightly, secret, startReceiver } from './verification/receivers.ts';
import { verifying } from './verification/verified.ts';

const withSecret = { environment: { WM_WEBHOOK_SECRET: secret } };
const within = ['--within', '300'];
const body = '[]';

/** `shows`: the secret was right. */
const commands: Readonly<
  Record<string, { readonly argv: readonly string[]; readonly shows: (ran: Ran) => boolean }>
> = {
  verify: { argv: ['URL', '--events', 'TaskCreated', '--json', ...within], shows: isHandshakeOk },
  diagnose: { argv: ['ID', '--json', ...within], shows: isHandshakeOk },
  resume: {
    argv: ['ID', '--yes', ...within],
    shows: ({ errors }) => errors.includes('Verified 1 receiver: no problem found.'),
  },
  trigger: { argv: ['TaskCreated', '--to', 'URL'], shows: ({ status }) => status === 0 },
  sign: { argv: ['BODY'], shows: ({ output }) => output === `${hmac(secret, body)}\n` },
  'check-signature': { argv: [hmac(secret, body), 'BODY'], shows: ({ status }) => status === 0 },
};

function isHandshakeOk({ output }: Ran): boolean {
  return /"check":\s*"handshake",\s*"outcome":\s*"ok"/.test(output);
}

for (const [word, { argv, shows }] of Object.entries(commands))
  for (const flag of ['--secret-file', '--secret-stdin'])
    test(`webhook ${word} ${flag} provides the secret`, async (context) => {
      const service = await verifying(context);
      const receiver = await startReceiver(context);
      const id = await service.create(receiver.url, ['--events', 'TaskCreated'], secret);
      assert.equal((await service.wm(['webhook', 'suspend', id, '--yes'])).status, 0);
      const file = (name: string) => join(service.folder, name);
      await writeFile(file('body.json'), body);
      const values: Readonly<Record<string, string>> = { ID: id, URL: receiver.url, BODY: file('body.json') };
      const wm = async (text: string) => {
        await writeFile(file('secret.txt'), text);
        const words = ['webhook', word, ...argv.map((one) => values[one] ?? one), flag];
        return flag === '--secret-stdin'
          ? service.wm(words, { input: text })
          : service.wm([...words, file('secret.txt')]);
      };
      const wrong = await wm('another secret\n');
      assert.ok(!shows(wrong), wrong.output + wrong.errors);
      await service.wm(['webhook', 'suspend', id, '--yes']);
      const right = await wm(`${secret}\n`);
      assert.ok(shows(right), right.output + right.errors);
    });

for (const [command, argv] of [
  ['webhook create', ['URL', '--events', 'TaskDeleted']],
  ['webhook resume', ['ID']],
  ['webhook verify', ['URL', '--events', 'TaskCreated']],
  ['webhook diagnose', ['ID']],
  ['webhook rotate-secret', ['ID', '--yes']],
] as const)
  test(`${command} --allow-private, --within: samples reach a private address, with a time limit per response`, async (context) => {
    const receiver = await startReceiver(context);
    const connectTo = { host: 'hooks.example.com', address: '127.0.0.1', port: receiver.port };
    const { wm } = await emulated(context, { connectTo: [connectTo] });
    const hookUrl = `http://${connectTo.host}/hook`;
    // The name resolves to this machine, as a name of an internal network would.
    const { http, inspectConnection } = createWorld();
    const locally = (url: string) => url.replace(`//${connectTo.host}/`, `//127.0.0.1:${receiver.port}/`);
    const limits = new Set<number | undefined>();
    const world: Partial<World> = {
      http: {
        ...http,
        send(request, options) {
          const url = locally(request.url);
          if (url !== request.url) limits.add(options.timeoutMs);
          return http.send({ ...request, url }, options);
        },
      },
      inspectConnection: (url, options) => inspectConnection(locally(url), options),
    };
    receiver.respond = respondRightly('the old secret');
    const made = await wm(
      ['webhook', 'create', hookUrl, '--events', 'TaskCreated', '--no-verify', '--json'],
      {
        environment: { WM_WEBHOOK_SECRET: 'the old secret' },
      },
    );
    const { id } = JSON.parse(made.output);
    if (command === 'webhook resume') await wm(['webhook', 'suspend', id, '--yes']);
    receiver.respond = respondRightly();
    const values: Readonly<Record<string, string>> = { ID: id, URL: hookUrl };
    const samples = async (...flags: readonly string[]) => {
      const words = [...command.split(' '), ...argv.map((one) => values[one] ?? one), ...within, ...flags];
      await wm(words, { ...withSecret, world });
      return receiver.arrived.filter(({ headers }) => headers['user-agent'] === 'wm-webhook-verify').length;
    };
    assert.equal(await samples(), 0);
    assert.notEqual(await samples('--allow-private'), 0);
    assert.deepEqual([...limits], [300_000]);
  });
