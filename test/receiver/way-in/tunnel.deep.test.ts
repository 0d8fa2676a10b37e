// The tunnel as a real process: its URL, what becomes of it when it ends, hangs or prints what nobody expects, and that nothing of it
// is left. The test moves the clock.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Failure } from '#failure.ts';
import { startTunnel, type TunnelOptions } from '#receiver/way-in/tunnel.ts';
import { createTestClock } from '#test/support/clock.ts';
import { startReceiver } from '#test/webhooks/verification/receivers.ts';
import { startEdge } from './edge.ts';
import { listeningContext } from './listening-context.ts';
import { test } from './opened.ts';

/** A node program, given as its text. */
const program = (text: string) => `${JSON.stringify(process.execPath)} -e '${text}' {port}`;
const stays = 'require("net").createServer().listen(0);';

function start(
  test: TestContext,
  options: Partial<TunnelOptions> & Pick<TunnelOptions, 'command'>,
  setting = listeningContext(),
) {
  const urls: string[] = [];
  let heard = () => {};
  const tunnel = startTunnel(setting.context, {
    port: 8080,
    findsUrl: true,
    onUrl(url) {
      urls.push(url);
      heard();
    },
    ...options,
  });
  let isClosed = false;
  const close = async () => {
    isClosed = true;
    await tunnel.close();
  };
  test.after(() => (isClosed ? undefined : close()));
  return {
    ...setting,
    tunnel: { ...tunnel, close },
    urls,
    untilUrls: (count: number) =>
      new Promise<void>((resolve) => {
        heard = () => {
          if (urls.length >= count) resolve();
        };
        heard();
      }),
  };
}

/** Every wait is over at once; a time limit is not. */
const withoutWaits = () => {
  const clock = createTestClock((milliseconds) => clock.advance(milliseconds));
  return listeningContext({}, clock);
};

test('the tunnel URL leads to the port, and closing the tunnel ends the program that the shell started', async (context) => {
  const edge = await startEdge(context);
  const receiver = await startReceiver(context);
  const { tunnel, urls, texts } = start(
    context,
    // The shell has to stay, as a parent.
    { command: `${edge.command}; true`, port: receiver.port },
    listeningContext({}, createTestClock(), { verbose: true }),
  );
  const url = await tunnel.ready;
  assert.equal(url, 'https://name-1.tunnel.example.com');
  assert.deepEqual(urls, [url]);
  const response = await edge.http.send(
    { method: 'POST', url: `${url}/`, headers: {}, body: '[]' },
    { timeoutMs: 60_000, maxBytes: 1000 },
  );
  assert.ok('status' in response);
  assert.equal(receiver.arrived.length, 1);
  assert.match(texts.errors, /^tunnel: INF \| {2}https:\/\/name-1\.tunnel\.example\.com {2}\|$/m);
  await tunnel.close();
  await edge.gone();
  assert.doesNotMatch(texts.errors, /The tunnel/);
});

test('the program gets the variables of wm, but none of its secrets', async (context) => {
  const environment = {
    ...process.env,
    WM_TOKEN: 'canary-token',
    WM_CLIENT_SECRET: 'canary-client',
    WM_WEBHOOK_SECRET: 'canary-webhook',
    WM_SINK_PASSWORD: 'canary-sink',
    NGROK_AUTHTOKEN: 'its own',
  };
  const { tunnel, said, texts } = start(
    context,
    { command: 'env; echo https://a.tunnel.test {port}; read -r _' },
    listeningContext({ environment }, createTestClock(), { verbose: true }),
  );
  await tunnel.ready.catch(() => {});
  await said(/^tunnel: NGROK_AUTHTOKEN=its own$/);
  assert.doesNotMatch(texts.errors, /canary/);
});

test('a tunnel that ends is restarted, later each time, and its output is shown; its URL may change', async (context) => {
  const edge = await startEdge(context);
  const { tunnel, urls, untilUrls, texts, clock } = start(context, edge, withoutWaits());
  await tunnel.ready;
  edge.drop();
  await untilUrls(2);
  edge.drop();
  await untilUrls(3);
  tunnel.confirm();
  edge.drop();
  await untilUrls(4);
  assert.deepEqual(
    urls.map((url) => new URL(url).hostname.split('.')[0]),
    ['name-1', 'name-2', 'name-3', 'name-4'],
  );
  assert.deepEqual(clock.waits, [1000, 2000, 1000]);
  assert.match(
    texts.errors,
    /^The tunnel ended with status 1\. wm starts it again in 1 s\.\n {2}INF Thank you .*\n {2}INF .*\n {2}ERR the edge has closed the connection$/m,
  );
});

test('the wait between two starts grows to a minute, and no further', async (context) => {
  const edge = await startEdge(context);
  const setting = withoutWaits();
  const { tunnel, untilUrls, clock } = start(context, edge, setting);
  await tunnel.ready;
  for (let count = 2; count <= 10; count++) {
    edge.drop();
    await untilUrls(count);
  }
  assert.deepEqual(clock.waits.slice(-4), [32_000, 60_000, 60_000, 60_000]);
});

test('a restart ends the running program and starts it again', async (context) => {
  const edge = await startEdge(context);
  const { tunnel, untilUrls, texts } = start(context, edge, withoutWaits());
  await tunnel.ready;
  tunnel.restart();
  await untilUrls(2);
  assert.match(texts.errors, /^The tunnel lets nothing through\. wm starts it again in 1 s\.$/m);
});

const failed = async (promise: Promise<unknown>): Promise<Failure> => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Failure);
  return error;
};

test('a tunnel that ends before it has a URL is an error with its last lines, made safe for the terminal', async (context) => {
  const hostile = String.raw`process.stdout.write("\x1b[2J\x1b]0;title\x07\u202e first\n\xff\r\n\n" + "x".repeat(3000) + "\n"); process.exitCode = 3`;
  const { tunnel } = start(context, { command: program(hostile) });
  const { sentence, hint } = await failed(tunnel.ready);
  assert.match(sentence, /^The tunnel ended with status 3: its last lines were: /);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  assert.doesNotMatch(sentence, /[\u0000-\u001f\u007f-\u009f\u202e]/);
  assert.ok(sentence.length < 1500, 'a line is not shown whole however long it is');
  assert.match(hint ?? '', /Try the command of --tunnel by itself/);
});

test('a tunnel that prints nothing, and a missing program', async (context) => {
  const silent = start(context, { command: 'true {port}' });
  assert.equal(
    (await failed(silent.tunnel.ready)).sentence,
    'The tunnel ended with status 0: it printed nothing',
  );
  const missing = start(context, { command: 'wm-no-such-tunnel {port}' });
  assert.match(
    (await failed(missing.tunnel.ready)).sentence,
    /^The tunnel ended with status 127: command not found: /,
  );
});

test('a tunnel that prints no URL within a minute is ended, and the error says how to give the URL', async (context) => {
  const clock = createTestClock();
  const talks = `console.log("listening at bore.example:34567, see https://docs.example.com/x"); ${stays}`;
  const verbose = listeningContext({}, clock, { verbose: true });
  const { tunnel } = start(context, { command: program(talks) }, verbose);
  await verbose.said(/^tunnel: listening/);
  clock.advance(60_000);
  const { sentence, hint } = await failed(tunnel.ready);
  assert.match(
    sentence,
    /^The tunnel printed no public https URL within 60 s: its last lines were: listening at bore/,
  );
  assert.match(hint ?? '', /--public-url URL/);
});

test('uses a URL without a newline once the time is up', async (context) => {
  const clock = createTestClock();
  const verbose = listeningContext({}, clock, { verbose: true });
  const talks = `process.stdout.write("ready\\nhttps://a.tunnel.example.com"); ${stays}`;
  const { tunnel } = start(context, { command: program(talks) }, verbose);
  await verbose.said(/^tunnel: ready/);
  clock.advance(60_000);
  assert.equal(await tunnel.ready, 'https://a.tunnel.example.com');
});

test('does not search for a URL if one is given, and then the tunnel may exit at any time', async (context) => {
  const { tunnel, urls, said } = start(
    context,
    {
      command: program('console.log("https://a.tunnel.example.com"); process.exitCode = 4'),
      findsUrl: false,
    },
    withoutWaits(),
  );
  assert.equal(await tunnel.ready, undefined);
  await said(/^The tunnel ended with status 4\. wm starts it again/, 2);
  await tunnel.close();
  assert.deepEqual(urls, []);
});

test('kills a tunnel that ignores SIGTERM, and does not wait for processes that it detached', async (context) => {
  const clock = createTestClock(undefined, (milliseconds) => {
    if (milliseconds < 60_000) clock.advance(milliseconds);
  });
  const deaf = `process.on("SIGTERM", () => {}); console.log("https://a.tunnel.example.com"); ${stays}`;
  const { tunnel } = start(context, { command: program(deaf) }, listeningContext({}, clock));
  await tunnel.ready;
  await tunnel.close();

  const edge = await startEdge(context);
  const child = `require(\\"net\\").connect(${edge.port})`;
  const lets = `require("child_process").spawn(process.execPath, ["-e", "${child}"], { detached: true, stdio: "inherit" }).unref(); console.log("https://a.tunnel.example.com"); ${stays}`;
  const other = start(context, { command: program(lets) }, listeningContext({}, clock));
  await other.tunnel.ready;
  await other.tunnel.close();
});
