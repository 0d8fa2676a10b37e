// Too few servers: what each command says of it, and that receivers and forwarders say it by themselves.

import assert from 'node:assert/strict';
import { freePort } from '../free-port.ts';
import { test, within } from './bounded.ts';
import { startTrial } from './trial.ts';

test('two of three servers are gone: an idle forwarder says so, log and check name the servers; then all is well again', async (t) => {
  const trial = await startTrial(t);
  const port = await freePort();
  const forwarder = await trial.forward('http://127.0.0.1:1/hook', '--metrics', String(port));
  const ready = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    return `${response.status} ${(await response.text()).trim()}`;
  };
  const untilReady = async (wanted: RegExp) => {
    let said = '';
    const look = async () => {
      while (!wanted.test(said)) said = await ready();
    };
    await within(`readyz says ${wanted}`, look(), () => said);
  };
  await untilReady(/^200/);
  const [one, two, three] = trial.cluster.nodes;
  await one?.kill();
  await two?.kill();
  await forwarder.says(/Cannot forward deliveries: no quorum of the NATS servers/);
  assert.equal(forwarder.errors().match(/Cannot forward/g)?.length, 1);
  await untilReady(/^503 .*no quorum/);
  const named = `${one?.address} and ${two?.address} do not respond; ${three?.address} does`;
  for (const words of [
    ['log', '--stuck', '--sink', trial.sink],
    ['sink', 'check', trial.sink],
  ]) {
    const ended = await trial.wm('webhook', ...words);
    assert.equal(ended.status, 7, ended.errors);
    assert.match(ended.errors, /quorum|did not respond in time/);
    assert.ok(ended.errors.includes(named), ended.errors);
  }
  await one?.start();
  await two?.start();
  await forwarder.says(/Deliveries can be forwarded again/);
  await untilReady(/^200/);
  assert.equal(await forwarder.end(), 0);
});
