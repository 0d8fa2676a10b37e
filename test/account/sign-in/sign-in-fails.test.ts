// The ways in which a sign-in ends badly before any exchange: denied, nobody came, no port. Each ends with its exit
// status, tells the browser, keeps nothing, and closes the port. What the token endpoint may answer is another file.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { createTestClock, type TestClock } from '#test/support/clock.ts';
import { secrets } from '#test/support/service/auth-service.ts';
import { listening } from '#test/support/service/listening.ts';
import { allow, backTo, visit } from '#test/support/sign-in/person.ts';
import { nothingIsKept, personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';

const service = await serviceForAll();
const person = personForEach();

test('Deny: exit 4 with the description, nothing is exchanged, and the page says that it was denied', async () => {
  person.does = (authorize) =>
    visit(backTo(authorize, { error: 'access_denied', error_description: 'She said \u001b[31mno' }));
  const ran = await person.loginEnds(4, service);
  assert.match(ran.errors, /^wm: Access was denied on the consent page\n {2}She said \ufffd\[31mno\n/m);
  assert.deepEqual(service.exchanges, []);
  const page = await person.pages[0];
  assert.match(page?.text ?? '', /<h1>Not signed in<\/h1>\n<p>Access was denied/);
  await nothingIsKept(person, service, ran);
});

test('another error from the consent page: exit 4, escaped on the page', async () => {
  person.does = (authorize) =>
    visit(backTo(authorize, { error: '<script>invalid_scope', error_description: '' }));
  const ran = await person.loginEnds(4, service);
  assert.match(
    ran.errors,
    /^wm: The service rejected the sign-in: <script>invalid_scope\n(.*\n)* {2}Start again: /m,
  );
  assert.ok((await person.pages[0])?.text.includes('&#60;script&#62;invalid_scope'));
  await nothingIsKept(person, service, ran);
});

test('no callback for five minutes: exit 4, and the port is closed', async () => {
  const clock = clockOfPatience((clock) => {
    // A stray at the last moment changes nothing.
    const callback = person.consent?.searchParams.get('redirect_uri') ?? '';
    visit(`${callback}?code=c&state=wrong`).then((page) => {
      assert.equal(page.status, 400);
      clock.advance(299_999);
      clock.advance(1);
    });
  });
  const ran = await loginOn(clock, 4);
  assert.match(ran.errors, /^wm: The sign-in timed out after five minutes\n/m);
  await nothingIsKept(person, service, ran);
});

for (const [about, move] of [
  ['waiting until just before the five minutes are over', (clock: TestClock) => clock.advance(299_999)],
  ['stopped for ten minutes', (clock: TestClock) => clock.stop(600_000)],
  [
    'stopped for a night, with the whole machine',
    (clock: TestClock) => {
      clock.sleepMachine(8 * 3_600_000);
      clock.advance(299_999);
    },
  ],
] as const) {
  test(`${about}: the user can still press Allow`, async () => {
    const clock = clockOfPatience((clock) => {
      move(clock);
      if (person.consent) person.pages.push(allow(person.consent));
    });
    await loginOn(clock);
  });
}

test('without a terminal, explains once after 20 s how to register the callback URL', async () => {
  const clock: TestClock = createTestClock((milliseconds) => {
    if (milliseconds !== 20_000) return;
    clock.advance(20_000);
    if (person.consent) person.pages.push(allow(person.consent));
  });
  const ran = await loginOn(clock);
  const advice = ran.errors.match(/^If the service rejects the callback URL http:\S+, register it with /gm);
  assert.equal(advice?.length, 1, ran.errors);
});

test('still accepts a callback that is unread when the five minutes end', async () => {
  const clock = clockOfPatience((clock) => {
    assert.ok(person.consent);
    const back = new URL(backTo(person.consent, { code: secrets.code }));
    const socket = connect(Number(back.port), back.hostname, () => {
      socket.write(`GET ${back.pathname}${back.search} HTTP/1.1\r\nHost: ${back.host}\r\n\r\n`);
      clock.advance(300_000);
    });
    socket.resume();
  });
  await loginOn(clock);
});

/** The person sees the address, and does nothing until the clock says so. */
function loginOn(clock: TestClock, status = 0) {
  person.does = () => undefined;
  return person.wm(['login', '--auth-url', service.url, '--client-id', 'app'], {
    exit: status,
    environment: { WM_CLIENT_SECRET: secrets.clientSecret },
    world: { clock },
  });
}

/** `onBegin` is called when the wait for the person begins. */
function clockOfPatience(onBegin: (clock: TestClock) => void): TestClock {
  const clock: TestClock = createTestClock(undefined, (milliseconds) => {
    if (milliseconds === 300_000) onBegin(clock);
  });
  return clock;
}

test('reports a port in use before it opens the browser', async () => {
  const squatter = createServer();
  const port = await listening(squatter);
  const ran = await person.loginEnds(1, service, '--port', `${port}`);
  squatter.close();
  assert.match(
    ran.errors,
    new RegExp(`^wm: Cannot listen on the callback port ${port}\n.*EADDRINUSE.*\n.*--port`, 'm'),
  );
  assert.equal(person.consent, undefined);
  await nothingIsKept(person, service, ran);
});

test('ignores a redirect without the right state', async () => {
  person.does = (authorize) => {
    const back = new URL(backTo(authorize, { code: 'canary-code' }));
    back.searchParams.set('state', 'another');
    return visit(back.href).then(async (page) => {
      assert.equal(page.status, 400);
      return allow(authorize);
    });
  };
  await person.login(service);
  assert.equal(service.exchanges.length, 1);
});
