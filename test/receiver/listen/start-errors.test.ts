// What `wm webhook listen` cannot start with, each with what is wrong and what to do instead. Nothing is started.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { wordsOf } from '#test/support/program/cells.ts';
import { run } from '#test/support/program/program.ts';
import { secret, startListener } from './running-listener.ts';

const to = '--forward-to http://a.example';
const header = (text: string) => [...wordsOf(to), '--forward-header', text];
const wholeUrl = '\n  Give the whole URL: --public-url https://hooks.example.com/wm\n';
const noRange = 'is not an address or a range, as in 10.0.0.0/8\n';
const ownAddress = 'is the address of this receiver: each delivery would come back';

const usageErrors: readonly (readonly [typed: string | readonly string[], said: string])[] = [
  ['--unsigned --unauthorized', '--unsigned and --unauthorized cannot be combined'],
  ['--path /a --health-path /a', '--path and --health-path are the same'],
  ['--path hook', '"hook" is not a path without a query'],
  ['--host hooks.example.com', '"hooks.example.com" is not an address of this machine'],
  ['--max-size 1MB', '"1MB" is not a size of at least 64MB'],
  ['--max-size much', '"much" is not a size'],
  ['--forward-to hooks.example.com', '"hooks.example.com" is not an http or https URL'],
  ['--forward-host a.example', '--forward-host needs a URL'],
  [['--forward-host', 'a b'], '--forward-host: "a b" is not a host'],
  ['--forward-timeout 5', '--forward-timeout needs --forward-to, --route or --exec'],
  ['--route TaskCreated', '"TaskCreated" is not of the form EVENT=URL'],
  ['--route TaskCreate=http://a.example', '--route: "TaskCreate" is not an event'],
  ['--print TaskCreate', '--print: "TaskCreate" is not an event'],
  ['--route TaskCreated=http://a.x,TaskCreated=http://b.x', 'is routed to http://a.x and to http://b.x'],
  [`${to}/?x=1 --route TaskCreated=http://a.example/?x=2`, 'Two URLs differ only in their query'],
  [header('Authorization: Bearer x'), 'Authorization holds a secret'],
  [header('Host: x'), 'Host has a flag of its own'],
  [header('Content-Length: 5'), 'wm itself sends Content-Length'],
  [header('X_Wm_Delivery: 5'), 'wm itself sends X_Wm_Delivery'],
  [header('no colon'), 'is not of the form NAME:VALUE'],
  [[...header('X-A: 1'), '--forward-header', 'x-a: 2'], 'x-a is given twice'],
  [header('X-A: ✓'), 'a value that no header can hold'],

  ['--tunnel cloudflared', '--tunnel needs {port} in the command'],
  ['--public-url foo', `wm: --public-url: "foo" is not an http or https URL${wholeUrl}`],
  [
    '--public-url ftp://a.example/',
    `wm: --public-url: "ftp://a.example/" is not an http or https URL${wholeUrl}`,
  ],
  [
    '--public-url http://10.0.0.1/x',
    '--public-url: "http://10.0.0.1/x" points to 10.0.0.1, which is not a global address',
  ],
  ['--public-url https://a.example:8443/', '--public-url: "https://a.example:8443/" has port 8443'],
  ['--create --events task', '--create needs a URL for the webhook'],
  ['--events task', '--events needs --create'],
  ['--on-exit keep', '--on-exit needs --create'],
  ['--label x', '--label needs --create'],
  ['--create --webhook x --public-url https://a.example', '--create and --webhook cannot be combined'],
  ['--suspend-when-unreachable', '--suspend-when-unreachable needs a webhook'],
  ['--resume', '--resume needs a webhook'],
  ['--create --public-url https://a.example --recursive', '--recursive needs --folder or --space'],

  ['--allow-from 10/8', `--allow-from: "10/8" ${noRange}`],
  ['--allow-from 10.0.0.0/33', `--allow-from: "10.0.0.0/33" ${noRange}`],
  ['--allow-from services', `--allow-from: "services" ${noRange}`],
  ['--trusted-proxy 127.0.0.1', '--trusted-proxy needs --allow-from'],

  ['--forward-to http://127.0.0.1:4020/hook', ownAddress],
  ['--port 4555 --forward-to http://localhost:4555/', ownAddress],
  ['--port 4555 --host 192.0.2.7 --route TaskCreated=http://192.0.2.7:4555/', ownAddress],
  ['--port 4555 --host ::1 --forward-to http://[::1]:4555/', ownAddress],

  ['--ui-port 4030', '--ui-port needs --ui'],
  ...['', 'abc', '70000', 'example.com:1', '::1:0', '[127.0.0.1]:0', '1.2.3:1', ':0'].map(
    (address) => [['--metrics', address], `--metrics: "${address}" is not a port`] as const,
  ),
];
for (const [typed, said] of usageErrors)
  test(`a usage error: ${wordsOf(typed).join(' ')}`, async () => {
    const environment = { WM_WEBHOOK_SECRET: secret };
    const { status, output, errors } = await run(['webhook', 'listen', ...wordsOf(typed)], { environment });
    assert.equal(status, 2, errors);
    assert.equal(output, '');
    assert.ok(errors.includes(said), errors);
    assert.doesNotMatch(errors, /Listening/);
  });

test('an address of another machine, a journal that is a file or below one, an unknown stored secret', async (context) => {
  const folder = await ownFolder(context);
  const file = join(folder, 'file');
  await writeFile(file, '');
  const journal = 'Give a folder that you can write to: --journal DIR. wm creates it if it does not exist.';
  for (const [typed, expected, message, hint] of [
    // Reserved for documentation (RFC 5737): no machine has it.
    [
      '--host 192.0.2.1',
      2,
      'wm cannot listen on 192.0.2.1 port 0',
      'Give an address of this machine with --host.',
    ],
    [`--journal ${file}`, 2, `The journal ${file} is not a folder`, journal],
    [`--journal ${join(file, 'below')}`, 1, `Cannot create ${join(file, 'below')}`, journal],
    [
      '--secret-of nobody',
      5,
      'No webhook with the id, label or URL "nobody" is known on this machine',
      'To list the webhooks with their ids: wm webhook list',
    ],
    [
      '--secret-of IEAAAAAQJAAAAAAB',
      5,
      'No secret is stored for webhook IEAAAAAQJAAAAAAB',
      'To store it: wm webhook secret IEAAAAAQJAAAAAAB --store',
    ],
  ] as const) {
    const environment = { WM_TOKEN_STORE: 'file' };
    const { status, errors } = await startListener(context, typed, { folder, environment }).ended;
    assert.equal(status, expected, errors);
    assert.ok(errors.startsWith(`wm: ${message}\n`), errors);
    assert.ok(errors.endsWith(`\n  ${hint}\n`), errors);
  }
});
