// /metrics, /healthz and /readyz over real connections: what each says, and who may ask.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import type { JournalState } from '#receiver/core/intake/delivery-journal.ts';
import { startStatusServer } from '#receiver/listen/status-server.ts';
import { createServer } from '#world/server.ts';
import { idleJournal } from '../intake/samples.ts';
import { readPrometheusText } from './read-prometheus-text.ts';

interface Got {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly text: string;
  readonly length: string | undefined;
}

/** One request after the other, to a server on a port of its own. `journal`: its state. */
async function withStatus(
  { host, journal = () => idleJournal }: { readonly host?: string; readonly journal?: () => JournalState },
  attempt: (
    get: (path: string, options?: { method?: string; host?: string }) => Promise<Got>,
  ) => Promise<void>,
): Promise<void> {
  const printed: string[] = [];
  const listening = await startStatusServer(
    { world: { server: createServer() }, report: { info: async (text) => void printed.push(text) } },
    { host: host ?? '127.0.0.1', port: 0 },
  );
  listening.onReady(() => ({ time: 0, journal: journal(), forwarder: { targets: [] } }));
  const port = Number(/:(\d+)\/metrics/.exec(printed.join())?.[1]);
  try {
    await attempt(
      (path, { method = 'GET', host = `127.0.0.1:${port}` } = {}) =>
        new Promise((done, reject) => {
          const sent = request(
            { host: '127.0.0.1', port, path, method, headers: { Host: host } },
            (response) => {
              const { 'content-type': type, 'content-length': length } = response.headers;
              let text = '';
              response.setEncoding('utf8').on('data', (piece) => (text += piece));
              response.on('end', () => done({ status: response.statusCode, type, text, length }));
            },
          );
          sent.on('error', reject).end();
        }),
    );
  } finally {
    await listening.close();
  }
}

test('/metrics responds in the Prometheus text format', () =>
  withStatus({}, async (get) => {
    const { status, type, text, length } = await get('/metrics?x=1');
    assert.deepEqual([status, type], [200, 'text/plain; version=0.0.4; charset=utf-8']);
    assert.ok(readPrometheusText(text).has('wm_receiver_requests_total'));
    const head = await get('/metrics', { method: 'HEAD' });
    assert.deepEqual([head.status, head.text, head.length], [200, '', length]);
  }));

test('/healthz is 200 while the process responds, /readyz while it can store', async () => {
  let reason: string | undefined;
  await withStatus({ journal: () => ({ ...idleJournal, fault: reason }) }, async (get) => {
    assert.deepEqual([(await get('/readyz')).status, (await get('/readyz')).text], [200, 'ready\n']);
    reason = 'no space left on the device';
    const { status, text } = await get('/readyz');
    assert.deepEqual([status, text], [503, 'not ready: no space left on the device\n']);
    assert.deepEqual([(await get('/healthz')).status, (await get('/healthz')).text], [200, 'ok\n']);
    reason = undefined;
    assert.equal((await get('/readyz')).status, 200);
  });
});

test('other paths get 404, other methods 405', () =>
  withStatus({}, async (get) => {
    for (const path of ['/', '/metrics/', '/hook', '//metrics', '*'])
      assert.equal((await get(path)).status, 404, path);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      assert.equal((await get('/metrics', { method })).status, 405, method);
  }));

test('on a loopback address, rejects hostnames that merely resolve to this machine', () =>
  withStatus({}, async (get) => {
    for (const host of [
      'evil.example',
      'evil.example:9464',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'a b',
    ])
      for (const path of ['/metrics', '/readyz', '/healthz'])
        assert.equal((await get(path, { host })).status, 403, host);
    for (const host of ['localhost', 'LOCALHOST:9464', '127.0.0.1', '[::1]:9464', '10.0.2.2:9464', ''])
      assert.equal((await get('/metrics', { host })).status, 200, host);
  }));

test('on another address, a monitoring system may use any hostname', () =>
  withStatus({ host: '0.0.0.0' }, async (get) => {
    assert.equal((await get('/metrics', { host: 'receiver.internal:9464' })).status, 200);
  }));
