// A receiver under wine: it stores and forwards, is ended without notice, goes on, and sends again.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listening } from '#test/support/service/listening.ts';
import { setWindows, testRows } from './wine.ts';

testRows(['A receiver: listen, log, replay'], async (test) => {
  const windows = await setWindows(test, { signedOut: false });
  const environment = { WM_WEBHOOK_SECRET: 'a secret of the test' };
  const bodies: string[] = [];
  let status = 500;
  const target = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(status).end();
    });
  });
  const port = await listening(target);
  test.after(() => target.close());
  const listen = () =>
    windows.start(
      [
        'webhook',
        'listen',
        '--port',
        '0',
        '--json',
        '--forward-to',
        `http://127.0.0.1:${port}/hook`,
        '--max-attempts',
        '1',
        '--journal',
        'deliveries ü',
      ],
      { environment },
    );
  const urlOf = async (receiver: ReturnType<typeof listen>) =>
    (await receiver.shows(/"url":"([^"]*)"/))[1] ?? '';
  const trigger = async (url: string) =>
    windows.good(
      ['webhook', 'trigger', 'TaskCreated', '--to', url, '--set', `taskId=${windows.emulator.sampleTask}`],
      { environment },
    );

  const first = listen();
  await trigger(await urlOf(first));
  await first.shows(/"verdict":"dead"/);
  first.kill();
  await first.ended;

  status = 200;
  const second = listen();
  await trigger(await urlOf(second));
  await second.shows(/"verdict":"forwarded"/);
  const log = ['webhook', 'log', '--journal', 'deliveries ü'];
  assert.match((await windows.good(log)).output, /\tdead\t[\s\S]*\tforwarded\t/);
  const replay = ['webhook', 'replay', '--dead-letters', '--yes', '--journal', 'deliveries ü'];
  assert.match((await windows.good(replay, { environment })).errors, /1 delivery replayed/);
  assert.equal(bodies.length, 3);
  const exec = `"%NODE%" -e "process.stdin.pipe(fs.createWriteStream('a body.json'))"`;
  await windows.good(['webhook', 'replay', '2', '--exec', exec, '--yes', '--journal', 'deliveries ü']);
  assert.equal(await readFile(join(windows.folder, 'a body.json'), 'utf8'), bodies[1]);
  second.kill();
  await second.ended;
  assert.match((await windows.good(log)).output, /\treplayed\t/);
});
