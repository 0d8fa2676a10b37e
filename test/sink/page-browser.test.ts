// The page of a sink in a real browser: what comes, what waits, a replay, an outage of the servers; narrow and wide.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage, skip } from '../system/chromium.ts';
import { pageUrl } from './page-client.ts';
import { deliver, startTarget, startTrial, store } from './trial.ts';

test('the page of a forwarder in a browser', { skip, timeout: 180_000 }, async (t) => {
  const trial = await startTrial(t, {}, ['--partitions', '2']);
  const target = await startTarget(t);
  target.respond(500);
  const receiver = await trial.listen();
  const tasks = ['IEAAAAAQKQAAAAAA', 'IEAAAAAQKQAAAAAB', 'IEAAAAAQKQAAAAAC'];
  for (const task of tasks) await store(receiver.port, { key: `bad ${task}`, task, title: 'Order paper' });
  const forwarder = await trial.forward(target.url, '--max-attempts', '1', '--ui');
  const { page, origins, complaints } = await openPage(t);
  await page.setViewportSize({ width: 1280, height: 900 });
  const url = await pageUrl(forwarder);
  await page.goto(url);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByText(/^Deliveries of all receivers of nats:.+\/TRIAL, and what all/).waitFor();
  const row = (sequence: number) => page.locator(`#rows tr[data-sequence="${sequence}"]`);
  await row(3).getByText('dead letter, 500').waitFor();
  target.respond(200);
  await row(1).click();
  await page.keyboard.press('r');
  await page.locator('#replay-state').getByText(`forwarded, 200`).waitFor();
  await row(1).getByText('replayed, 200').waitFor();
  await page.keyboard.press('Escape');
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const [content, window] = (await page.evaluate(
      '[document.documentElement.scrollWidth, innerWidth]',
    )) as readonly [number, number];
    assert.equal(content, window);
  }
  assert.deepEqual(complaints, []);
  const [, ...others] = trial.cluster.nodes;
  await Promise.all(others.map((node) => node.kill()));
  const alert = page.getByRole('alert');
  await alert.getByText(/^The sink does not respond: .+ This page shows what was there at /).waitFor();
  await Promise.all(others.map((node) => node.start()));
  await alert.getByText('The sink does not respond').waitFor({ state: 'detached' });
  for (;;) if ((await deliver(receiver.port, { key: 'good', task: tasks[0] ?? '' })) === 200) break;
  await row(4).getByText('forwarded, 200').waitFor();
  assert.deepEqual([...origins], [new URL(url).origin]);
  // What the page asked for just before may have failed with the sink; the browser complains of that by itself.
  assert.deepEqual(
    complaints.filter((text) => !/the server responded with a status of 500/.test(text)),
    [],
  );
});
