// `wm webhook listen` as a job in the background of a real terminal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliver, secret } from '#test/receiver/listen/running-listener.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';

const statusChanged = [
  { eventType: 'TaskStatusChanged', taskId: 'IEAAAAAQKQAB5BNG', title: 'Write the launch page' },
];

const inBackground = `wm webhook listen --port 0 & read line; kill %1; wait %1; echo "status $?"`;
// At its very end, Node 22 and later set the terminal back as it was before it was raw, and are stopped for that: fg lets it end.
const stoppedFirst = `wm webhook listen --port 0; bg; read line; kill %1; wait %1; code=$?
  if [ $code -gt 128 ]; then fg > /dev/null; code=$?; fi; echo "status $code"`;

for (const [how, script] of [
  ['with &', inBackground],
  ['with bg, after Ctrl-Z', stoppedFirst],
] as const)
  test(`a background job (${how}) keeps running and leaves the terminal alone`, {
    skip,
  }, async (context) => {
    const stage = await setStage(context);
    const environment = { WM_WEBHOOK_SECRET: secret, JOB: script };
    const terminal = openTerminal(context, stage, 'bash -mc "$JOB"', { environment });
    const [, port] = await terminal.shows(/Listening on http:\/\/127\.0\.0\.1:(\d+)\//);
    if (script === stoppedFirst) {
      await terminal.screenShows('0 received  (? for keys)', '\x1a');
      // bash says how it goes on.
      await terminal.shows(/\[1\]\+ wm webhook listen/);
    }
    await deliver({ port: Number(port) }, statusChanged);
    await terminal.shows(/#1 {2}TaskStatusChanged/, key.enter);
    await terminal.shows('status 0');
    assert.equal(await terminal.ended, 0);
    assert.doesNotMatch(terminal.text, /Stopped \(tty/);
  });
