// Ctrl-C at each stage of a sign-in, two terminals that sign in at once, and the prompt of `wm login --complete`: the
// terminal is given back, the port is free, and the sign-in that was there before is as it was, to the byte.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gate } from '#test/support/gate.ts';
import {
  type AuthService,
  json,
  secrets,
  startAuthService,
  tokens,
} from '#test/support/service/auth-service.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { listening } from '#test/support/service/listening.ts';
import { backTo, visit } from '#test/support/sign-in/person.ts';
import { type Stage, setStage } from '#test/support/terminal/stage.ts';
import { cursorIsShown, key, openTerminal, skip } from '#test/support/terminal/terminal.ts';

/** Wide enough that no address is broken into lines. */
const columns = 500;
const address = /\n {2}(http:\S+)\n/;
const sane = '; code=$?; stty -a | tr " ;" "\\n\\n" | grep -x -e "-*icanon" -e "-*echo"; exit $code';

interface Scene {
  readonly stage: Stage;
  readonly service: AuthService;
  readonly environment: Record<string, string>;
  /** The sign-in that is stored, byte for byte. */
  stored(): Promise<readonly (string | undefined)[]>;
}

/** Somebody is signed in already. */
async function setScene(context: TestContext): Promise<Scene> {
  const stage = await setStage(context, { signedOut: true });
  const service = await startAuthService();
  context.after(() => service.close());
  const environment = {
    WM_AUTH_URL: service.url,
    WM_CLIENT_ID: 'app',
    WM_CLIENT_SECRET: secrets.clientSecret,
  };
  const terminal = openTerminal(context, stage, 'wm login --no-browser', { columns, environment });
  const [, url = ''] = await terminal.shows(address);
  await visit(backTo(new URL(url), { code: secrets.code }));
  assert.equal(await terminal.ended, 0, terminal.text);
  const config = join(stage.folder, 'config');
  const read = (path: string) => readFile(join(config, path), 'utf8').catch(() => undefined);
  return {
    stage,
    service,
    environment,
    stored: () => Promise.all(['profiles.json', 'tokens/default.json'].map(read)),
  };
}

/** Each stage: how the command is run, and what happens before Ctrl-C is pressed. */
const stages: Readonly<
  Record<
    string,
    (
      scene: Scene,
      context: TestContext,
    ) => Promise<{
      readonly line: string;
      readonly environment?: Record<string, string>;
      /** What the terminal shows when the stage has come; what to do with a URL that it showed. */
      readonly until: string | RegExp;
      readonly reach?: (url: URL) => Promise<void>;
      readonly and?: string;
    }>
  >
> = {
  'the prompt for the address': async () => ({
    line: 'env -u WM_AUTH_URL -u WM_CLIENT_ID wm login --profile new',
    until: 'Address to sign in at (such as login.example.com):',
  }),
  'the prompt for the client id': async () => ({
    line: 'env -u WM_CLIENT_ID wm login --profile new',
    until: 'Client id:',
  }),
  'the prompt for the client secret': async () => ({
    line: 'env -u WM_CLIENT_SECRET wm login --profile new',
    until: 'Client secret',
  }),
  'the look whether anything listens': async (_scene, context) => {
    const reached = gate();
    const silent = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => reached.open());
    });
    const port = await listening(silent);
    context.after(() => silent.close());
    return {
      line: `wm login --auth-url http://127.0.0.1:${port} --client-id other`,
      until: '',
      reach: () => reached.opened,
    };
  },
  'the exchange of the code': async ({ service }) => {
    const reached = gate();
    service.answer = () => reached.open();
    return {
      line: `wm login --no-browser --port ${await freePort()}`,
      until: address,
      async reach(url) {
        visit(backTo(url, { code: secrets.code })).catch(() => {});
        await reached.opened;
      },
    };
  },
  'the question whether another may take its place': async ({ service }) => {
    service.answer = (response) => json(response, 200, tokens(service.host));
    service.who = { accountId: 'IEAAAAAZ', userId: 'KUAAAAAZ' };
    return {
      line: `wm login --no-browser --port ${await freePort()}`,
      until: address,
      reach: async (url) => void (await visit(backTo(url, { code: secrets.code }))),
      and: 'Replace the sign-in of',
    };
  },
  'the prompt of --complete': async () => ({
    line: 'wm login --start -q && wm login --complete',
    until: 'Paste the address you landed on:',
  }),
};

for (const [name, prepare] of Object.entries(stages)) {
  test(`Ctrl-C at ${name}`, { skip }, async (context) => {
    const scene = await setScene(context);
    const before = await scene.stored();
    const { line, until, reach, and } = await prepare(scene, context);
    const { environment } = scene;
    // Where the terminal sends a signal, the shell that looks at it afterwards must outlive that.
    const terminal = openTerminal(context, scene.stage, `trap : INT; ${line}${sane}`, {
      columns,
      environment,
    });
    const shown = until === '' ? undefined : await terminal.shows(until);
    const url = shown?.[1] === undefined ? undefined : new URL(shown[1]);
    await reach?.(url ?? new URL(scene.service.url));
    if (and !== undefined) await terminal.shows(and);
    terminal.type(key.interrupt);
    await terminal.shows('wm: Interrupted');
    assert.equal(await terminal.ended, 130, terminal.text);
    await terminal.shows(/icanon\necho\n$/);
    assert.ok(cursorIsShown(terminal.raw));
    assert.deepEqual(await scene.stored(), before);
    const callback = url?.searchParams.get('redirect_uri');
    if (callback) await assert.rejects(visit(callback), /ECONNREFUSED/);
    const after = openTerminal(context, scene.stage, 'wm whoami', { environment });
    assert.equal(await after.ended, 0, after.text);
  });
}

test('two terminals at once: each accepts only its own address, and both sign in', {
  skip,
}, async (context) => {
  const { stage, environment, service } = await setScene(context);
  const open = () => openTerminal(context, stage, `wm login --no-browser${sane}`, { columns, environment });
  const [firstTerminal, secondTerminal] = [open(), open()];
  const urls: string[] = [];
  for (const terminal of [firstTerminal, secondTerminal]) {
    const [, url = ''] = await terminal.shows(address);
    urls.push(backTo(new URL(url), { code: secrets.code }));
    await terminal.shows('paste the address you landed on:');
  }
  const [first = '', second = ''] = urls;
  assert.notEqual(new URL(first).port, new URL(second).port);
  firstTerminal.type(`${second}${key.enter}`);
  await firstTerminal.shows('This URL belongs to another sign-in');
  secondTerminal.type(`${second}${key.enter}`);
  assert.equal(await secondTerminal.ended, 0, secondTerminal.text);
  await visit(first);
  assert.equal(await firstTerminal.ended, 0, firstTerminal.text);
  assert.equal(service.exchanges.length, 3);
  const after = openTerminal(context, stage, 'wm whoami', { environment });
  assert.equal(await after.ended, 0, after.text);
});

test('two terminals with one fixed port: the second reports that the port is in use', {
  skip,
}, async (context) => {
  const { stage, environment } = await setScene(context);
  const terminal = openTerminal(context, stage, 'wm login --no-browser', { columns, environment });
  const [, url = ''] = await terminal.shows(address);
  const { port } = new URL(new URL(url).searchParams.get('redirect_uri') ?? '');
  const two = openTerminal(context, stage, `wm login --no-browser --port ${port}`, { columns, environment });
  await two.shows(`wm: Cannot listen on the callback port ${port}`);
  assert.equal(await two.ended, 1);
  await visit(backTo(new URL(url), { code: secrets.code }));
  assert.equal(await terminal.ended, 0, terminal.text);
});

test('--complete on a terminal prompts, and again after a wrong paste', { skip }, async (context) => {
  const { stage, environment, service } = await setScene(context);
  const terminal = openTerminal(context, stage, `wm login --start -q && wm login --complete${sane}`, {
    columns,
    environment,
  });
  const [, url = ''] = await terminal.shows(/(http:\S+)\n/);
  await terminal.shows('Paste the address you landed on:', `nonsense${key.enter}`);
  await terminal.shows('This is not the URL that the browser landed on');
  terminal.type(`${backTo(new URL(url), { code: secrets.code })}${key.enter}`);
  await terminal.shows('Signed in (profile default)');
  assert.equal(await terminal.ended, 0, terminal.text);
  await terminal.shows(/icanon\necho\n$/);
  assert.equal(service.exchanges.length, 2);
});
