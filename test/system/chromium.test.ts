// Signing in with a real browser: the consent page and the page that the browser lands on, by mouse and by keyboard.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { listening } from '#test/support/service/listening.ts';
import { type Stage, setStage } from '#test/support/terminal/stage.ts';
import { openPage, skip } from './chromium.ts';
import { run } from './run.ts';

const signIn = ['login', '--no-browser'];
const limits = { skip, timeout: 120_000 };

function staged(context: TestContext, commands: Readonly<Record<string, string>> = {}): Promise<Stage> {
  return setStage(context, { signedOut: true, commands });
}

async function whoami(context: TestContext, stage: Stage): Promise<Record<string, string>> {
  const { status, output, errors } = await run(context, stage, ['whoami', '--json']).ended;
  assert.equal(status, 0, errors);
  return JSON.parse(output);
}

test('Allow: shows who signs in and to what, and leaves nothing in the address', limits, async (context) => {
  const stage = await staged(context);
  const { page, origins, complaints } = await openPage(context);
  const login = run(context, stage, signIn);
  const address = await login.address;
  await page.goto(address);
  await shoot(page, 'consent');
  assert.equal(await page.title(), 'Allow Ready application?');
  await page.getByText('Default', { exact: true }).waitFor();
  const callback = new URL(address).searchParams.get('redirect_uri') ?? '';
  await page.getByText(callback).waitFor();

  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Signed in' }).waitFor();
  await shoot(page, 'signed-in');
  const text = (await page.textContent('main')) ?? '';
  assert.match(text, /You are Ada Fields, in Paper Lantern Studio\./);
  assert.match(text, /close this tab/);
  assert.equal(page.url(), `${new URL(callback).origin}/`);
  // Neither is it in the history, nor told to anybody else.
  assert.equal(await page.evaluate('document.referrer'), '');
  assert.deepEqual([...origins], [stage.emulator.authUrl, new URL(callback).origin]);
  assert.deepEqual(complaints, []);

  const { status, output, errors } = await login.ended;
  assert.equal(status, 0, errors);
  assert.match(output, /^Ada Fields\t/);
  assert.equal((await whoami(context, stage))['account'], 'Paper Lantern Studio');
  await assert.rejects(fetch(callback), 'the listener is gone');
});

test(
  'Deny: exit 4 with the reason, and the page says that the user is not signed in',
  limits,
  async (context) => {
    const stage = await staged(context);
    const { page, complaints } = await openPage(context);
    const login = run(context, stage, signIn);
    await page.goto(await login.address);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: 'Not signed in' }).waitFor();
    await shoot(page, 'denied');
    assert.match((await page.textContent('main')) ?? '', /Access was denied/);
    assert.doesNotMatch(page.url(), /error|state/);
    assert.deepEqual(complaints, []);
    const { status, output, errors } = await login.ended;
    assert.equal(status, 4);
    assert.equal(output, '');
    assert.match(errors, /Access was denied on the consent page\n {2}The user denied access\n/);
    assert.equal((await run(context, stage, ['whoami']).ended).status, 4);
  },
);

test('with the keyboard alone: another account, then Allow', limits, async (context) => {
  const stage = await staged(context);
  const { page } = await openPage(context);
  const login = run(context, stage, signIn);
  await page.goto(await login.address);
  const focused = () => page.evaluate('document.activeElement.value');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'KUAAADAQ');
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(), 'KUAABENQ');
  await shoot(page, 'keyboard');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'allow');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'deny');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByText('You are Ben Okafor, in Paper Lantern Studio.').waitFor();
  assert.equal((await login.ended).status, 0);
  assert.equal((await whoami(context, stage))['user'], 'Ben Okafor');
});

test('an account of another data centre: its host is kept', limits, async (context) => {
  const stage = await staged(context);
  const { page } = await openPage(context);
  const login = run(context, stage, signIn);
  await page.goto(await login.address);
  await page.getByLabel(/Paper Lantern Europe/).check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('You are Ada Fields, in Paper Lantern Europe.').waitFor();
  assert.equal((await login.ended).status, 0);
  const europe = stage.emulator.dataCentres.find(({ name }) => name === 'EU')?.host;
  const { account, host } = await whoami(context, stage);
  assert.deepEqual([account, host], ['Paper Lantern Europe', europe]);
});

test('BROWSER gets the address, and no other browser is opened', limits, async (context) => {
  const handed = await receiveAddress(context);
  const stage = await staged(context, {
    'my-browser': `exec "${process.execPath}" -e '${handed.script}' "$@"`,
  });
  const { page } = await openPage(context);
  const login = run(context, stage, ['login'], { BROWSER: 'my-browser' });
  const address = await handed.address;
  assert.equal(address, await login.address);
  await page.goto(address);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Signed in' }).waitFor();
  const { status, errors } = await login.ended;
  assert.equal(status, 0, errors);
  assert.match(errors, /^Opening the browser\./);
});

test('a submitted page cannot be submitted again', limits, async (context) => {
  const stage = await staged(context);
  const { page } = await openPage(context);
  const login = run(context, stage, signIn);
  await page.goto(await login.address);
  const html = await page.content();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Signed in' }).waitFor();
  assert.equal((await login.ended).status, 0);
  const ticket = /name="ticket" value="([^"]*)"/.exec(html)?.[1] ?? '';
  const again = await fetch(new URL('/oauth2/authorize/v4', stage.emulator.authUrl), {
    method: 'POST',
    body: new URLSearchParams({ ticket, user: 'KUAAADAQ', decision: 'allow' }),
    redirect: 'manual',
  });
  assert.equal(again.status, 400);
});

/** Waits for a browser's stand-in to say which address it was given. */
async function receiveAddress(context: TestContext): Promise<{ address: Promise<string>; script: string }> {
  const server = createServer();
  const address = new Promise<string>((resolve) => {
    server.on('request', (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      request.on('end', () => {
        response.end();
        resolve(body);
      });
    });
  });
  const port = await listening(server);
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { address, script: `fetch("http://127.0.0.1:${port}/", { method: "POST", body: process.argv[1] })` };
}

/** For looking at the pages: WRITE_PAGES=folder keeps a picture of each. */
async function shoot(
  page: { screenshot(options: { path: string }): Promise<unknown> },
  name: string,
): Promise<void> {
  const folder = process.env['WRITE_PAGES'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}
