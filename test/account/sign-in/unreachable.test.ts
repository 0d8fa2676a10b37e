// An authorization URL where nothing listens: an error before any browser opens or anything waits, through a proxy too.
// Whatever answers, and what only is slow, counts as something that listens.

import assert from 'node:assert/strict';
import { createServer as createSecureServer } from 'node:https';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { json, secrets, tokens } from '#test/support/service/auth-service.ts';
import { certificate, key } from '#test/support/service/certificate.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { listening } from '#test/support/service/listening.ts';
import type { Person } from '#test/support/sign-in/person.ts';
import { nothingIsKept, personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createHttp } from '#world/http.ts';
import type { HttpFault } from '#world/world.ts';

const service = await serviceForAll();
let person: Person;
personForEach((created) => {
  person = created;
  service.answer = (response) => json(response, 200, tokens(service.host));
});

const application = { WM_CLIENT_ID: 'app', WM_CLIENT_SECRET: secrets.clientSecret };

for (const more of [[], ['--no-browser'], ['--start'], ['--redirect-uri', 'https://example.com/callback']]) {
  test(`connection refused: exit 7 at once, with ${more.join(' ') || 'no flag'}`, async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const ran = await person.wm(['login', '--auth-url', url, ...more], { environment: application });
    assert.equal(ran.status, 7, ran.errors);
    assert.ok(ran.errors.includes(`wm: Cannot reach the authorization URL ${url}\n  Connection refused: `));
    assert.match(ran.errors, /Nothing was changed\. Check --auth-url \(or WM_AUTH_URL\)/);
    assert.doesNotMatch(ran.errors, /Open this address/);
    assert.equal(person.consent, undefined);
    await nothingIsKept(person, service, ran);
  });
}

test('a host that does not resolve: exit 7', async () => {
  const ran = await person.wm(['login', '--auth-url', 'https://nobody.invalid'], {
    environment: application,
  });
  assert.equal(ran.status, 7, ran.errors);
  assert.match(
    ran.errors,
    /^wm: Cannot reach the authorization URL https:\/\/nobody\.invalid\n {2}The host cannot be reached: /m,
  );
  assert.equal(person.consent, undefined);
});

test('a proxy that does not connect: exit 7; one that connects is enough, whatever the host name', async () => {
  const refusing = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'));
  });
  const port = await listening(refusing);
  const http = createHttp({ HTTPS_PROXY: `http://127.0.0.1:${port}` });
  const ran = await person.wm(['login', '--auth-url', 'https://nobody.invalid'], {
    environment: application,
    world: { http },
  });
  refusing.close();
  assert.equal(ran.status, 7, ran.errors);
  assert.match(ran.errors, /^ {2}The proxy did not connect/m);
  assert.equal(person.consent, undefined);
});

test('an untrusted certificate: exit 7, with the way to trust it', async () => {
  const server = createSecureServer({ key, cert: certificate });
  const url = `https://127.0.0.1:${await listening(server)}`;
  const ran = await person.wm(['login', '--auth-url', url], { environment: application });
  server.close();
  assert.equal(ran.status, 7, ran.errors);
  assert.ok(ran.errors.includes(`wm: Cannot reach the authorization URL ${url}\n`), ran.errors);
  assert.match(ran.errors, /Behind a company proxy, trust its certificate: --ca FILE/);
  assert.equal(person.consent, undefined);
});

test('opens the browser if anything listens, whatever it responds, even if it is too slow', async () => {
  const faults: readonly HttpFault['fault'][] = ['timeout', 'reset', 'malformed', 'too-large'];
  for (const fault of faults) {
    const real = createHttp({});
    const http = {
      send: async (...sent: Parameters<typeof real.send>) =>
        sent[0].method === 'HEAD' ? ({ fault, sent: true, detail: 'as told' } as const) : real.send(...sent),
    };
    const ran = await person.wm(['login', '--auth-url', service.url], {
      environment: application,
      world: { http },
    });
    assert.equal(ran.status, 0, `${fault}: ${ran.errors}`);
  }
});

test('tries once, with a request that contains no data, for at most five seconds', async () => {
  const real = createHttp({});
  const requests: unknown[] = [];
  const http = {
    send: async (...sent: Parameters<typeof real.send>) => {
      if (sent[0].method === 'HEAD') requests.push(sent);
      return real.send(...sent);
    },
  };
  await person.wm(['login', '--auth-url', service.url], { environment: application, world: { http } });
  assert.deepEqual(requests, [
    [
      { method: 'HEAD', url: `${service.url}/`, headers: {} },
      { timeoutMs: 5_000, maxBytes: 65_536 },
    ],
  ]);
  assert.equal(service.probes, 1);
});
