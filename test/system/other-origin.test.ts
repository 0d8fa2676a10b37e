// In a real browser, a page of another origin gets nothing from the emulator, even with a correct token: whatever way a page
// has to send a request, it arrives and is rejected. A page of an allowed origin gets everything.

import assert from 'node:assert/strict';
import { createServer as createSite } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from '#emulator/emulator.ts';
import { listening } from '#test/support/service/listening.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { createWorld } from '#world/create-world.ts';
import type { Server } from '#world/world.ts';
import { receiving } from '../emulator/dispatch/receiver.ts';
import { openPage, skip } from './chromium.ts';

const limits = { skip, timeout: 120_000 };
const task = '/api/v4/tasks/IEAAAAAQKQAB5BNG';
const evil = 'evil.example';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly status: number;
}

/** The requests that have had their response, and when the next one has. */
interface Log {
  readonly all: Seen[];
  next(): Promise<void>;
}

/** The server of this machine; writes down every request with its response's status. */
function recording(server: Server): { readonly server: Server; readonly log: Log } {
  const all: Seen[] = [];
  let wake: (() => void)[] = [];
  return {
    log: { all, next: () => new Promise((resolve) => void wake.push(resolve)) },
    server: {
      listen: (at, handler) =>
        server.listen(at, (request, response) => {
          response.on('finish', () => {
            all.push({
              method: request.method ?? '',
              url: request.url ?? '',
              status: response.statusCode,
            });
            const waiting = wake;
            wake = [];
            for (const one of waiting) one();
          });
          handler(request, response);
        }),
    },
  };
}

/** An emulator that would deliver to this machine, a receiver there, and a site on another port. */
async function staged(t: TestContext, options: (site: string) => EmulatorOptions = () => ({})) {
  const site = createSite((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://site');
    const to = searchParams.get('to');
    if (to !== null) response.writeHead(302, { Location: to });
    else response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>Site</title><h1>Site</h1>');
  });
  const port = await listening(site);
  t.after(() => {
    site.close();
    site.closeAllConnections();
  });
  const world = createWorld();
  const { server, log } = recording(world.server);
  const emulator = await startEmulator(
    { ...world, server },
    { allowLocalHooks: true, ...options(`http://127.0.0.1:${port}`) },
  );
  assert.ok(!('fault' in emulator));
  t.after(() => emulator.close());
  const receiver = await receiving(t);
  const state = async () => ({
    task: (await call(emulator, 'GET', '/tasks/IEAAAAAQKQAB5BNG')).body.data[0],
    webhooks: (await call(emulator, 'GET', '/webhooks')).body.data,
    audit: (await call(emulator, 'GET', '/audit_log')).body.data,
    users: await (await fetch(`${emulator.controlUrl}/users`)).json(),
    frozen: (await (await fetch(`${emulator.controlUrl}/clock`)).text()).includes('"frozen":true'),
  });
  return { emulator, log, receiver, state, port };
}

/** What a page tries; each carries its name as `state`, which every request of the API may have. */
function attacks({ token }: RunningEmulator, hookUrl: string) {
  const tunnelled = `${task}?method=PUT&title=evil&access_token=${token}`;
  const hook = `access_token=${token}&hookUrl=${encodeURIComponent(hookUrl)}`;
  const create = `/api/v4/webhooks?method=POST&${hook}`;
  const bearer = `{ Authorization: 'Bearer ${token}' }`;
  const element = (name: string, attribute: string) => `
    const element = document.createElement('${name}');
    const done = new Promise((resolve) => { element.onload = element.onerror = element.onstalled = resolve; });
    element.${attribute} = url;
    document.body.append(element);
    await Promise.race([done, arrived]);`;
  const form = (method: string, fields: string, more = '') => `
    const frame = document.createElement('iframe');
    frame.name = 'f' + Math.random();
    const form = document.createElement('form');
    form.method = '${method}'; form.action = url; form.target = frame.name; ${more}
    for (const [name, value] of new URLSearchParams('${fields}')) {
      const input = document.createElement('input');
      input.name = name; input.value = value; form.append(input);
    }
    const done = new Promise((resolve) => { frame.onload = resolve; });
    document.body.append(frame, form);
    form.submit();
    await Promise.race([done, arrived]);`;
  const read = (options: string) => `
    const response = await fetch(url, ${options});
    if (response.type !== 'opaque') return response.status + ' ' + (await response.text());`;
  return {
    'fetch a list': { path: '/api/v4/contacts?', script: read(`{ headers: ${bearer} }`) },
    'fetch a list by the query': { path: `/api/v4/contacts?access_token=${token}`, script: read('{}') },
    'fetch an update': { path: `${task}?title=evil`, script: read(`{ method: 'PUT', headers: ${bearer} }`) },
    'fetch a tunnelled update': { path: tunnelled, script: read('{}') },
    'fetch a tunnelled update without CORS': { path: tunnelled, script: read(`{ mode: 'no-cors' }`) },
    'fetch a tunnelled webhook without CORS': { path: create, script: read(`{ mode: 'no-cors' }`) },
    'fetch a webhook without CORS': {
      path: '/api/v4/webhooks?',
      script: read(`{ method: 'POST', mode: 'no-cors', body: new URLSearchParams('${hook}') }`),
    },
    'fetch in a worker': {
      path: tunnelled,
      script: `
        const code = 'onmessage = async ({ data }) => postMessage(await fetch(data).then((r) => r.text(), () => ""))';
        const worker = new Worker(URL.createObjectURL(new Blob([code])));
        worker.postMessage(url);
        const text = await new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); });
        if (text !== '') return text;`,
    },
    'fetch in a sandbox, of the origin null': {
      path: tunnelled,
      script: `
        const frame = document.createElement('iframe');
        frame.sandbox = 'allow-scripts';
        frame.srcdoc = '<script>fetch(' + JSON.stringify(url) + ').then((r) => r.text(), () => "").then((t) => parent.postMessage(t, "*"))</' + 'script>';
        const said = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data), { once: true }));
        document.body.append(frame);
        const text = await said;
        if (text !== '') return text;`,
    },
    XMLHttpRequest: {
      path: `/api/v4/contacts?access_token=${token}`,
      script: `
        const request = new XMLHttpRequest();
        const done = new Promise((resolve) => { request.onloadend = resolve; });
        request.open('GET', url); request.send();
        await done;
        if (request.responseText !== '') return request.responseText;`,
    },
    beacon: {
      path: create,
      script: `navigator.sendBeacon(url, new URLSearchParams('a=b')); await arrived;`,
    },
    'POST of a form': { path: '/api/v4/webhooks?', script: form('post', hook) },
    'POST of a form that is text': {
      path: '/_emulator/clock?',
      script: form(
        'post',
        '',
        `form.enctype = 'text/plain'; const t = document.createElement('input'); t.name = '{"freeze":true,"x":"'; t.value = '"}'; form.append(t);`,
      ),
    },
    'GET of a form': { path: task, script: form('get', `method=PUT&title=evil&access_token=${token}`) },
    'an image': { path: tunnelled, script: element('img', 'src') },
    'a script': { path: `/_emulator/users?`, script: element('script', 'src') },
    'a style sheet': { path: tunnelled, script: element('link', `rel = 'stylesheet'; element.href`) },
    'a prefetch': { path: tunnelled, script: element('link', `rel = 'prefetch'; element.href`) },
    'an icon': {
      path: tunnelled,
      script: element('link', `rel = 'preload'; element.as = 'image'; element.href`),
    },
    'a video': { path: tunnelled, script: element('video', 'src') },
    'a frame': { path: tunnelled, script: element('iframe', 'src') },
    'an object': { path: tunnelled, script: element('object', 'data') },
    'an event source': {
      path: tunnelled,
      script: `
        const source = new EventSource(url);
        await new Promise((resolve) => { source.onerror = source.onopen = resolve; });
        source.close();`,
    },
    'a web socket': {
      path: tunnelled,
      script: `
        const socket = new WebSocket(url.replace('http', 'ws'));
        await new Promise((resolve) => { socket.onerror = socket.onopen = resolve; });`,
    },
  } satisfies Record<string, { path: string; script: string }>;
}

/** Tries each from the page that is open. Each must reach the emulator, be rejected, and leave the page nothing to read. */
async function attack(
  page: Page,
  target: string,
  { emulator, log, receiver }: Pick<Awaited<ReturnType<typeof staged>>, 'emulator' | 'log' | 'receiver'>,
): Promise<void> {
  for (const [name, { path, script }] of Object.entries(attacks(emulator, receiver.url))) {
    const mark = path.includes('?') ? (path.endsWith('?') ? '' : '&') : '?';
    const url = `${target}${path}${mark}state=${name.replaceAll(' ', '-')}`;
    const before = log.all.length;
    const arrived = log.next();
    const read = page.evaluate(`(async (url) => {
      const arrived = new Promise((resolve) => { window.onArrived = resolve; });
      try { ${script} } catch {}
    })(${JSON.stringify(url)})`);
    await arrived;
    await page.evaluate('window.onArrived()');
    const text = await read;
    // What is of the page's own origin to the browser is read: so nothing may stand there.
    if (text !== undefined)
      assert.match(String(text), /access_forbidden/, `${name}: the page reads a response`);
    if (target === emulator.authUrl) assert.equal(text, undefined, `${name}: the page reads a response`);
    for (const one of log.all.slice(before))
      assert.equal(one.status, 403, `${name}: ${one.method} ${one.url}`);
  }
}

for (const [who, address] of [
  ['another site', (port: number) => `http://${evil}:${port}/`],
  ['the same site on another port', (port: number) => `http://127.0.0.1:${port}/`],
] as const) {
  test(`a page of ${who} changes nothing and reads nothing, with a correct token`, limits, async (t) => {
    const stage = await staged(t);
    const { page } = await openPage(t, [evil]);
    const before = await stage.state();
    await page.goto(address(stage.port));
    await attack(page, stage.emulator.authUrl, stage);
    assert.deepEqual(await stage.state(), before);
    assert.deepEqual(stage.receiver.received, []);
  });
}

test(
  'a page whose own hostname is rebound to this machine changes nothing and reads nothing',
  limits,
  async (t) => {
    const stage = await staged(t);
    const { page } = await openPage(t, [`rebound.${evil}`]);
    const before = await stage.state();
    // The name leads to the attacker first; once the page is there, to this machine.
    const own = `http://rebound.${evil}:${new URL(stage.emulator.authUrl).port}`;
    await page.route(`${own}/attack`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Attack</title>' }),
    );
    await page.goto(`${own}/attack`);
    await attack(page, own, stage);
    assert.deepEqual(await stage.state(), before);
    assert.deepEqual(stage.receiver.received, []);
  },
);

test('a link, a redirect and a new window make no API request', limits, async (t) => {
  const { emulator, log, state, port } = await staged(t);
  const { page } = await openPage(t, [evil]);
  const before = await state();
  const target = `${emulator.authUrl}${task}?method=PUT&title=evil&access_token=${emulator.token}`;
  // Typed: the browser names no other site then, though that site has redirected it.
  const typed = await page.goto(`http://${evil}:${port}/?to=${encodeURIComponent(target)}`);
  assert.equal(typed?.status(), 403);
  await page.goto(`http://${evil}:${port}/`);
  const [followed] = await Promise.all([
    page.waitForResponse(target),
    page.evaluate(`location.href = ${JSON.stringify(target)}`),
  ]);
  assert.equal(followed.status(), 403);
  await page.waitForURL(target);
  await page.goto(`http://${evil}:${port}/`);
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate(`void window.open(${JSON.stringify(target)})`),
  ]);
  await opened.waitForLoadState();
  assert.match((await opened.textContent('body')) ?? '', /access_forbidden/);
  assert.ok(log.all.filter(({ url }) => url.includes('title=evil')).length >= 3);
  assert.deepEqual(await state(), before);
});

test('the link of a web application opens the consent page, which returns with a code', limits, async (t) => {
  const { emulator, port } = await staged(t);
  const { page } = await openPage(t, [evil]);
  const callback = `http://localhost:${port}/callback`;
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: emulator.clientId,
    redirect_uri: callback,
    state: 'abc',
  });
  const address = `${emulator.authUrl}/oauth2/authorize/v4?${query}`;
  for (const lead of [
    `http://localhost:${port}/?to=${encodeURIComponent(address)}`,
    `http://${evil}:${port}/?to=${encodeURIComponent(address)}`,
  ]) {
    await page.goto(`http://localhost:${port}/`);
    await page.evaluate(`location.href = ${JSON.stringify(lead)}`);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(/\/callback\?/);
    const { searchParams, origin } = new URL(page.url());
    assert.equal(origin, `http://localhost:${port}`);
    assert.equal(searchParams.get('state'), 'abc');
    assert.match(searchParams.get('code') ?? '', /^\w{43}$/);
  }
});

test(
  'a page of an allowed origin reads, updates and controls; one of another origin still does not',
  limits,
  async (t) => {
    const { emulator, port, state } = await staged(t, (site) => ({ allowOrigins: [site] }));
    const { page, complaints } = await openPage(t, [evil]);
    const update = `fetch('${emulator.baseUrl}/tasks/IEAAAAAQKQAB5BNG', {
    method: 'PUT',
    headers: { Authorization: 'Bearer ${emulator.token}', 'Content-Type': 'application/json', 'X-Request-Id': '7' },
    body: '{"title":"by a page"}',
  }).then(async (response) => [response.status, (await response.json()).data[0].title], () => 'nothing')`;
    const control = `fetch('${emulator.controlUrl}/clock', { method: 'POST', body: '{"freeze":true}' })
    .then(async (response) => (await response.json()).frozen, () => 'nothing')`;
    const unknown = `fetch('${emulator.baseUrl}/account', { headers: { Authorization: 'Bearer x' } })
    .then((response) => [response.status, response.headers.get('WWW-Authenticate')], () => 'nothing')`;
    const token = `fetch('${emulator.authUrl}/oauth2/token', { method: 'POST', body: new URLSearchParams('grant_type=x') })
    .then(async (response) => (await response.json()).error, () => 'nothing')`;
    await page.goto(`http://${evil}:${port}/`);
    for (const one of [update, control, unknown, token]) assert.equal(await page.evaluate(one), 'nothing');
    assert.equal((await state()).task.title, 'Write the launch page');
    assert.ok(complaints.length > 0);
    await page.goto(`http://127.0.0.1:${port}/`);
    assert.deepEqual(await page.evaluate(update), [200, 'by a page']);
    assert.equal(await page.evaluate(control), true);
    assert.deepEqual(await page.evaluate(unknown), [401, 'Bearer']);
    assert.equal(await page.evaluate(token), 'invalid_request');
    assert.equal((await state()).frozen, true);
  },
);
