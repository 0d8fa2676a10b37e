// An authorization URL where nothing listens: an error before any browser opens or anything waits, through a proxy too.
// Whatever answers, and what only is slow, counts as something that listens.

import assert from 'node:assert/strict';
import { createServer as createSecureServer } from 'node:https';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { secrets } from '#test/support/service/auth-service.ts';
import { certificate, key } from '#test/support/service/certificate.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { listening } from '#test/support/service/listening.ts';
import { nothingIsKept, personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createHttp } from '#world/http.ts';
import type { Http, HttpFault, World } from '#world/world.ts';

const service = await serviceForAll();
const person = personForEach();

const application = { WM_CLIENT_ID: 'app', WM_CLIENT_SECRET: secrets.clientSecret };

for (const more of [[], ['--no-browser'], ['--start'], ['--redirect-uri', 'https://example.com/callback']]) {
  test(`connection refused: exit 7 at once, with ${more.join(' ') || 'no flag'}`, async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const ran = await person.wm(['login', '--auth-url', url, ...more], {
      exit: 7,
      environment: application,
    });
    assert.ok(ran.errors.includes(`wm: Cannot reach the authorization URL ${url}\n  Connection refused: `));
    assert.match(ran.errors, /Nothing was changed\. Check --auth-url \(or WM_AUTH_URL\)/);
    assert.doesNotMatch(ran.errors, /Open this address/);
    assert.equal(person.consent, undefined);
    await nothingIsKept(person, service, ran);
  });
}

/** A sign-in there ends before a browser opens. */
async function unreachable(url: string, world: Partial<World> = {}): Promise<string> {
  const ran = await person.wm(['login', '--auth-url', url], { exit: 7, environment: application, world });
  assert.ok(ran.errors.includes(`wm: Cannot reach the authorization URL ${url}\n`), ran.errors);
  assert.equal(person.consent, undefined);
  return ran.errors;
}

test('a host that does not resolve: exit 7', async () => {
  const errors = await unreachable('https://nobody.invalid');
  assert.match(errors, /^ {2}The host cannot be reached: /m);
});

test('a proxy that does not connect: exit 7', async () => {
  const refusing = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'));
  });
  const HTTPS_PROXY = `http://127.0.0.1:${await listening(refusing)}`;
  const errors = await unreachable('https://nobody.invalid', { http: createHttp({ HTTPS_PROXY }) });
  refusing.close();
  assert.match(errors, /^ {2}The proxy did not connect/m);
});

test('an untrusted certificate: exit 7, with the way to trust it', async () => {
  const server = createSecureServer({ key, cert: certificate });
  const errors = await unreachable(`https://127.0.0.1:${await listening(server)}`);
  server.close();
  assert.match(errors, /Behind a company proxy, trust its certificate: --ca FILE/);
});

/** `answer`: to the request that finds out whether anything is there. */
async function loginAnswering(answer: (...sent: Parameters<Http['send']>) => HttpFault | undefined) {
  const real = createHttp({});
  const http: Http = {
    send: async (...sent) => (sent[0].method === 'HEAD' && answer(...sent)) || real.send(...sent),
  };
  await person.wm(['login', '--auth-url', service.url], { environment: application, world: { http } });
}

test('opens the browser if anything listens, whatever it responds, even if it is too slow', async () => {
  for (const fault of ['timeout', 'reset', 'malformed', 'too-large'] as const)
    await loginAnswering(() => ({ fault, sent: true, detail: 'as told' }));
});

test('tries once, with a request that contains no data, for at most five seconds', async () => {
  const requests: unknown[] = [];
  await loginAnswering((...sent) => void requests.push(sent));
  assert.deepEqual(requests, [
    [
      { method: 'HEAD', url: `${service.url}/`, headers: {} },
      { timeoutMs: 5_000, maxBytes: 65_536 },
    ],
  ]);
  assert.equal(service.probes, 1);
});
