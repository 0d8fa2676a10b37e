// A service that does not respond: after a while a person sees that, once, with the time limit. A pipe and --quiet show
// nothing.

import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { createTestClock } from '#test/support/clock.ts';
import { run } from '#test/support/program/program.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { listening } from '#test/support/service/listening.ts';
import type { Output } from '#world/world.ts';

const contacts = {
  kind: 'contacts',
  data: [{ id: 'KUAABENQ', firstName: 'Ben', lastName: 'Okafor', me: true }],
};
const accounts = { kind: 'accounts', data: [{ id: 'IEAAAAAQ', name: 'Paper Lantern Studio' }] };

interface Slow {
  readonly host: string;
  /** Answers what is asked, from the beginning on. */
  answer(): void;
}

/** Answers nothing until it is told to. */
async function slowService(context: TestContext): Promise<Slow> {
  const held: (() => void)[] = [];
  let open = false;
  const server = createServer((request, response: ServerResponse) => {
    const give = () => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(request.url?.includes('/contacts') ? contacts : accounts));
    };
    if (open) give();
    else held.push(give);
  });
  const port = await listening(server);
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    host: `127.0.0.1:${port}`,
    answer() {
      open = true;
      for (const give of held.splice(0)) give();
    },
  };
}

interface Place {
  readonly isTerminal: boolean;
  /** The first seconds of waiting pass at once. */
  readonly slow: boolean;
  /** Another command, which asks for one thing and waits for nothing else. */
  readonly words?: readonly string[];
}

/** `whoami`, which asks for two things at once. */
async function whoami(
  service: Slow,
  argv: readonly string[],
  { isTerminal, slow, words = ['whoami'] }: Place,
) {
  const clock = createTestClock((milliseconds) => {
    if (slow && milliseconds === 3000) clock.advance(milliseconds);
    else if (words[0] !== 'whoami' && milliseconds !== 3000) clock.advance(milliseconds);
  });
  const notices: string[] = [];
  const { streams } = collectStreams();
  const errors: Output = {
    ...collectStreams({ isTerminal }).streams.errors,
    async write(text: string) {
      notices.push(text);
      service.answer();
    },
  };
  const environment = { WM_TOKEN: 'token', WM_HOST: service.host };
  const world = { clock, streams: { ...streams, errors } };
  const { status } = await run([...words, ...argv], { environment, world });
  return { status, notices, clock };
}

for (const [argv, limit] of [
  [[], 30],
  [['--timeout', '90'], 90],
  [['--json'], 30],
] as const) {
  test(`on a terminal, prints one notice: whoami ${argv.join(' ')}`, async (context) => {
    const service = await slowService(context);
    const { status, notices } = await whoami(service, argv, { isTerminal: true, slow: true });
    assert.equal(status, 0, notices.join(''));
    const line = `${service.host} has not responded yet. Still waiting (up to ${limit} s; change with --timeout).\n`;
    assert.deepEqual(notices, [line]);
  });
}

for (const [name, argv, isTerminal] of [
  ['in a pipe', [], false],
  ['with --quiet', ['--quiet'], true],
  ['where the whole wait is no longer', ['--timeout', '3'], true],
] as const) {
  test(`${name} prints no notice and schedules none`, async (context) => {
    const service = await slowService(context);
    service.answer();
    const { status, notices, clock } = await whoami(service, argv, { isTerminal, slow: false });
    assert.equal(status, 0, notices.join(''));
    assert.ok(!clock.waits.includes(3000), `${clock.waits}`);
    assert.deepEqual(notices, []);
  });
}

test('a response in time causes no notice, then or later', async (context) => {
  const service = await slowService(context);
  service.answer();
  const { status, notices, clock } = await whoami(service, [], { isTerminal: true, slow: false });
  assert.equal(status, 0);
  assert.ok(clock.waits.includes(3000), `${clock.waits}`);
  clock.advance(60_000);
  assert.deepEqual(notices, []);
});

for (const [isTerminal, retryAfter, said] of [
  [true, '5', 'The service limits the rate of requests. Waiting 5 s.\n'],
  [true, '0', ''],
  [false, '5', ''],
] as const) {
  test(`a rate limit of ${retryAfter} s, ${isTerminal ? 'on a terminal' : 'in a pipe'}: ${said ? 'it is said once that wm waits' : 'nothing is said'}`, async (context) => {
    let isLimited = true;
    const server = createServer((_request, response) => {
      response.writeHead(isLimited ? 429 : 200, {
        'Content-Type': 'application/json',
        ...(isLimited ? { 'Retry-After': retryAfter } : {}),
      });
      isLimited = false;
      response.end(JSON.stringify(accounts));
    });
    const host = `127.0.0.1:${await listening(server)}`;
    context.after(() => {
      server.close();
      server.closeAllConnections();
    });
    const service = { host, answer: () => {} };
    const { status, notices } = await whoami(service, [], { isTerminal, slow: false, words: ['account'] });
    assert.equal(status, 0, notices.join(''));
    assert.equal(notices.join(''), said);
  });
}
