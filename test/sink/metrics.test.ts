// What a monitoring system and the page are told of receivers and forwarders (`wm webhook forward`) of a sink: while all is well, while
// a target fails or is gone, while there is no quorum, and when it is back without anybody sending anything. Commands name the servers
// that are gone.

import assert from 'node:assert/strict';
import { textIn } from '#test/receiver/page/page-html.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { test, untilFound } from './bounded.ts';
import { openPageOf } from './page-client.ts';
import type { Ended } from './running-wm.ts';
import { deliver, deliverUntil, startTarget, startTrial, store, type Trial } from './trial.ts';

async function ask(port: number, path: string) {
  const response = await fetch(`http://127.0.0.1:${port}/${path}`);
  return { status: response.status, text: await response.text() };
}

/** Resolves with the text once the response is right. */
async function untilSays(
  port: number,
  path: string,
  what: string,
  isRight: (response: Awaited<ReturnType<typeof ask>>) => boolean,
): Promise<string> {
  let last = '';
  const look = async () => {
    const response = await ask(port, path);
    last = response.text;
    return isRight(response) ? last : undefined;
  };
  return untilFound(`/${path} says ${what}`, look, () => last);
}

const untilLines = (port: number, ...lines: readonly RegExp[]) =>
  untilSays(port, 'metrics', lines.join(' and '), ({ text }) => lines.every((line) => line.test(text)));

const untilReady = (port: number, expected: number) =>
  untilSays(port, 'readyz', String(expected), ({ status }) => status === expected);

/** Resolves with the end of `sink check` once it is right. */
async function untilChecked(trial: Trial, status: number, problem: RegExp): Promise<Ended> {
  let last: Ended | undefined;
  const look = async () => {
    last = await trial.wm('webhook', 'sink', 'check', trial.sink);
    return last.status === status && problem.test(last.errors) ? last : undefined;
  };
  return untilFound(`sink check says ${problem}`, look, () => last?.errors ?? '');
}

test('metrics, readiness and page of a receiver and a forwarder: all well, a target failing or gone, no quorum', async (t) => {
  const trial = await startTrial(t);
  const target = await startTarget(t);
  const [stores, forwards, gone] = [await freePort(), await freePort(), await freePort()];
  const receiver = await trial.listen(trial.sink, '--metrics', String(stores), '--ui');
  const page = await openPageOf(t, receiver);
  const forwarder = await trial.forward(target.url, '--metrics', String(forwards));
  for (const key of ['a', 'b', 'c']) await store(receiver.port, { key, task: key });
  await target.untilHas(['a', 'b', 'c']);
  const name = target.url.replaceAll('.', '\\.');
  await untilLines(
    stores,
    /^wm_receiver_requests_total\{outcome="stored"\} 3$/m,
    /^wm_receiver_unfinished_deliveries 0$/m,
    /^wm_receiver_storage_fault 0$/m,
    /^wm_receiver_journal_bytes [1-9]\d*$/m,
  );
  await untilLines(
    forwards,
    new RegExp(`^wm_receiver_attempts_total\\{target="${name}",verdict="forwarded"\\} 3$`, 'm'),
    new RegExp(`^wm_receiver_target_up\\{target="${name}"\\} 1$`, 'm'),
    new RegExp(`^wm_receiver_target_deliveries\\{target="${name}",state="retrying"\\} 0$`, 'm'),
    /^wm_receiver_unfinished_deliveries 0$/m,
  );
  for (const port of [stores, forwards]) {
    assert.deepEqual(await ask(port, 'healthz'), { status: 200, text: 'ok\n' });
    assert.deepEqual(await ask(port, 'readyz'), { status: 200, text: 'ready\n' });
  }

  // It responds, but not with 2xx.
  target.respond(500);
  await store(receiver.port, { key: 'd' });
  await untilLines(
    forwards,
    new RegExp(`^wm_receiver_attempts_total\\{target="${name}",verdict="retry"\\} [1-9]`, 'm'),
    new RegExp(`^wm_receiver_target_deliveries\\{target="${name}",state="retrying"\\} 1$`, 'm'),
    new RegExp(`^wm_receiver_target_lag_seconds\\{target="${name}"\\} [\\d.]*[1-9]`, 'm'),
    /^wm_receiver_unfinished_deliveries 1$/m,
  );
  assert.equal((await ask(forwards, 'readyz')).status, 200);
  target.respond(200);
  await target.until(() => target.keys.filter((key) => key === 'd').length >= 2);

  // Nothing listens there.
  await trial.forward('http://127.0.0.1:1/hook', '--metrics', String(gone));
  await store(receiver.port, { key: 'e' });
  await untilLines(
    gone,
    /^wm_receiver_target_up\{target="http:\/\/127\.0\.0\.1:1\/hook"\} 0$/m,
    /^wm_receiver_unfinished_deliveries [1-9]\d*$/m,
  );
  assert.equal((await ask(gone, 'readyz')).status, 200);

  await page.until(() => page.rows().length === 5);
  const shows = (problem: RegExp) => problem.test(textIn(page.last(), 'problems'));
  const [stale, notStored] = [
    /The sink does not respond: .*(?:no quorum|no connection)/,
    /Deliveries cannot be stored/,
  ];
  assert.ok(!shows(/The sink/));
  const [one, two] = trial.cluster.nodes;
  await Promise.all([one?.kill(), two?.kill()]);
  await page.until(() => shows(stale));
  for (const port of [stores, forwards]) {
    assert.match(await untilReady(port, 503), /^not ready: .*(?:quorum|connection)/);
    assert.equal((await ask(port, 'healthz')).status, 200);
    await untilLines(port, /^wm_receiver_storage_fault 1$/m);
  }
  // It has nothing to do, and says so all the same.
  await forwarder.says(/Cannot forward deliveries: no quorum of the NATS servers/);
  assert.equal(forwarder.errors().match(/Cannot forward/g)?.length, 1);
  assert.equal(await deliver(receiver.port, { key: 'f' }), 503);
  await page.until(() => shows(notStored));
  // The page itself still responds.
  assert.equal(page.rows().length, 5);
  const [, , three] = trial.cluster.nodes;
  const named = `${one?.address} and ${two?.address} do not respond; ${three?.address} does`;
  const stuck = await trial.ends(7, /quorum|did not respond in time/, 'log', '--stuck', '--sink', trial.sink);
  assert.doesNotMatch(stuck.errors, /bug in wm/);
  const checked = await untilChecked(trial, 7, /has no quorum/);
  for (const { errors } of [stuck, checked]) assert.ok(errors.includes(named), errors);
  await untilLines(stores, /^wm_receiver_requests_total\{outcome="not-stored"\} 1$/m);
  await Promise.all([one?.start(), two?.start()]);
  // Whoever sends by readiness sends nothing before.
  for (const port of [stores, forwards]) await untilReady(port, 200);
  await forwarder.says(/Deliveries can be forwarded again/);
  await page.until(() => !shows(/The sink/));
  await deliverUntil(receiver.port, { key: 'g' });
  await page.until(() => page.rows().length > 5 && !shows(notStored));
  await target.untilHas(['d', 'e', 'g']);
  assert.equal(await forwarder.end(), 0);
  await one?.kill();
  // The leader notices after some seconds, or another one is chosen.
  await untilChecked(trial, 0, /n0 does not respond\. Nothing is lost/);
});
