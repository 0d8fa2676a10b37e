// Forwarding from a sink on a terminal: others forward from there too, so nothing stays on the screen as under way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTerminal, skip } from '../terminal/terminal.ts';
import { setStage } from '../transcript/stage.ts';
import { secret } from './running-wm.ts';
import { startTarget, startTrial, store } from './trial.ts';

test('each attempt has its line on a terminal, and so has each delivery that is stored', {
  skip,
  timeout: 120_000,
}, async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '2', '--replicas', '1']);
  const target = await startTarget(t);
  target.respond(503);
  const stage = await setStage(t);
  const setting = { environment: { WM_WEBHOOK_SECRET: secret } };
  const receiver = openTerminal(t, stage, `wm webhook listen --port 0 --sink ${trial.sink}`, setting);
  const [, port] = await receiver.shows(/Listening on http:\/\/127\.0\.0\.1:(\d+)\//);
  const forwarder = openTerminal(
    t,
    stage,
    `wm webhook forward --sink ${trial.sink} --forward-to ${target.url}`,
    setting,
  );
  await forwarder.shows(/Forwarding from/);
  await store(Number(port), { key: 'a', title: 'Order paper' });
  await receiver.screenShows(/^\d\d:\d\d:\d\d {2}#1 {2}TaskTitleChanged {2}Order paper$/m);
  await forwarder.shows(
    /#1 {2}TaskTitleChanged {2}Order paper {2}503 in [\d.]+ m?s, next attempt in [\d.]+ m?s\n/,
  );
  target.respond(200);
  await forwarder.shows(/#1 {2}TaskTitleChanged {2}Order paper {2}200 in [\d.]+ m?s, attempt \d+\n/);
  const lines = await forwarder.screenShows(/1 forwarded {2}\(/);
  assert.ok(lines.filter((line) => line.includes('#1')).length > 1, 'one for each attempt');
  forwarder.type('d');
  await forwarder.screenShows(/^Delivery #1, received/m);
});
