// The webhooks of the sample, for people who try `wm`: what they show, and that their deliveries leave the machine alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { records } from '#test/support/service/records.ts';
import { started } from '#test/support/service/start-emulator.ts';
import { createHttp } from '#world/http.ts';
import { execWith, startWith } from './in-process.ts';

const cellsOf = (output: string) =>
  output
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));

test('a change is delivered to the active webhooks and not to the suspended one; nothing leaves the emulator', async () => {
  const http = createHttp({});
  const sent: string[] = [];
  const world = {
    http: {
      ...http,
      send: (...[request, options]: Parameters<typeof http.send>) => {
        sent.push(request.url);
        return http.send(request, options);
      },
    },
  };
  const { status, errors } = await execWith(
    ['--', 'sh'],
    async (environment) => {
      const changeAndList = async (state: string) => {
        await run(['task', 'update', 'IEAAAAAQKQAB5BNG', '--status', state], { environment });
        const { output } = await run(['emulator', 'deliveries', '--settled'], { environment });
        return cellsOf(output).map(([, id, state, answer]) => [id?.slice(-3), state, answer].join(' '));
      };
      const all = ['BIL delivered 200', 'BI2 delivered 200', 'CHT delivered 200'];
      assert.deepEqual(await changeAndList('Completed'), all);
      const suspended = await run(['webhook', 'suspend', 'IEAAAAAQWAAB5BI2', '--yes'], { environment });
      assert.equal(suspended.status, 0, suspended.errors);
      assert.deepEqual(await changeAndList('Active'), [...all, 'BIL delivered 200', 'CHT delivered 200']);
      return 0;
    },
    world,
  );
  assert.equal(status, 0, errors);
  assert.deepEqual(sent, []);
});

test('start has them too, and a program that starts an emulator creates its own', async (context) => {
  const list = async (environment: Record<string, string>) =>
    (await run(['webhook', 'list', '--json'], { environment })).output;
  const { printed, stop } = await startWith(['--json']);
  const { host, token } = JSON.parse(printed);
  const shown: unknown[] = JSON.parse(await list({ WM_HOST: host, WM_TOKEN: token }));
  assert.equal(shown.length, 4);
  await stop();
  const own = await started(context);
  assert.deepEqual(await records(own, 'GET', '/webhooks'), []);
});
