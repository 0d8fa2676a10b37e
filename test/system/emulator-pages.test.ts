// The emulator's own pages in a real browser: the state on the front page as it changes, its buttons, with and without the script;
// text that is hostile; narrow and wide, light and dark.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { call, type Started, started } from '#test/support/service/start-emulator.ts';
import { contrastsOf, type Opened, openPage, skip } from './chromium.ts';

const limits = { skip, timeout: 120_000 };

async function staged(t: TestContext): Promise<Opened & { readonly emulator: Started }> {
  const emulator = await started(t, { allowLocalHooks: true });
  const opened = await openPage(t);
  await opened.page.goto(emulator.authUrl);
  return { ...opened, emulator };
}

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first();

test('events appear automatically, and hostile values are shown as text', limits, async (t) => {
  const { emulator, page, origins, complaints } = await staged(t);
  const title = '<img src=x onerror="document.title=1"></table><script>document.title=1</script>';
  await call(emulator, 'PUT', `/tasks/${emulator.sampleTask}?title=${encodeURIComponent(title)}`);
  await section(page, 'Tasks').getByText(title, { exact: true }).waitFor();
  await emulator.control('POST /faults', { body: { request: 'updateTask', status: 503, times: 2 } });
  await section(page, 'Faults').getByText('503').waitFor();
  await section(page, 'Faults').getByText('1 armed').waitFor();
  assert.equal(await page.title(), 'A local emulator');
  assert.deepEqual([...origins], [emulator.authUrl]);
  assert.deepEqual(complaints, []);
});

test('the buttons do the same as the control requests, and say so', limits, async (t) => {
  const { emulator, page, complaints } = await staged(t);
  const said = page.getByRole('status');
  await page.getByRole('button', { name: 'Freeze' }).click();
  await said.getByText('The clock stands still.').waitFor();
  await section(page, 'Clock').getByText('2026-03-02 12:00:00').waitFor();
  await page.getByRole('button', { name: '+1 hour' }).click();
  await section(page, 'Clock').getByText('2026-03-02 13:00:00').waitFor();
  assert.deepEqual(await emulator.control('GET /clock'), { now: '2026-03-02T13:00:00Z', frozen: true });

  await page.getByLabel('Request', { exact: true }).fill('getAccount');
  await page.getByLabel('Status', { exact: true }).fill('429');
  await page.getByRole('button', { name: 'Arm' }).click();
  await said.getByText('The fault is armed.').waitFor();
  assert.equal((await call(emulator, 'GET', '/account')).status, 429);
  await page.getByLabel('Request', { exact: true }).fill('getAcount');
  await page.getByRole('button', { name: 'Arm' }).click();
  await said.getByText(/did you mean "?getAccount/).waitFor();
  assert.equal(
    await page.getByLabel('Request', { exact: true }).inputValue(),
    'getAcount',
    'what was typed is still there',
  );
  assert.deepEqual((await emulator.control('GET /faults')).faults, []);

  await page.getByLabel('Event').selectOption('CommentAdded');
  await page.getByRole('button', { name: 'Emit' }).click();
  await said.getByText(/^The event was sent/).waitFor();

  await page.getByText('Reset everything…').click();
  await page.getByRole('button', { name: 'Reset to the sample' }).click();
  await said.getByText(/^The sample data is back/).waitFor();
  assert.equal((await emulator.control('GET /clock')).frozen, false);
  // A rejected form is a 400, which the browser notes.
  assert.deepEqual(
    complaints.filter((one) => !/status of 400/.test(one)),
    [],
  );
});

test('does not replace a field that the user is editing', limits, async (t) => {
  const { emulator, page } = await staged(t);
  await page.getByLabel('How many').fill('3');
  await page.getByLabel('How many').focus();
  await emulator.control('POST /tasks', { body: { count: 1 } });
  await section(page, 'Tasks').getByText('15 tasks').waitFor();
  assert.equal(await page.getByLabel('How many').inputValue(), '3');
  await page.keyboard.press('Enter');
  await section(page, 'Tasks').getByText('18 tasks').waitFor();
});

test('works without the script', limits, async (t) => {
  const emulator = await started(t);
  const { page } = await openPage(t);
  const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
  const plain = await context?.newPage();
  assert.ok(plain);
  await plain.goto(emulator.authUrl);
  await plain.getByRole('button', { name: 'Freeze' }).click();
  await plain.getByText('The clock stands still.').waitFor();
  assert.equal(plain.url(), `${emulator.authUrl}/?done=freeze#clock`);
  assert.equal((await emulator.control('GET /clock')).frozen, true);
  await plain.getByLabel('Request', { exact: true }).fill('nonsense');
  await plain.getByRole('button', { name: 'Arm' }).click();
  await plain.getByText(/"nonsense" is not one of/).waitFor();
});

test('with the keyboard alone, in the order of the page', limits, async (t) => {
  const { page } = await staged(t);
  const names: string[] = [];
  for (let count = 0; count < 9; count++) {
    await page.keyboard.press('Tab');
    names.push(
      String(await page.evaluate('document.activeElement.textContent.trim() || document.activeElement.name')),
    );
  }
  assert.deepEqual(names, [
    'OpenAPI',
    'AsyncAPI',
    'Freeze',
    'Resume',
    '+1 minute',
    '+1 hour',
    '+1 day',
    'advanceSeconds',
    'Advance',
  ]);
  await page.getByRole('button', { name: 'Freeze' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('The clock stands still.').waitFor();
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Freeze', 'the focus stays');
});

test(
  '1280 and 390 pixels, light and dark: nothing wider than the screen, all text readable',
  limits,
  async (t) => {
    const { emulator, page } = await staged(t);
    await call(emulator, 'PUT', `/tasks/${emulator.sampleTask}?title=${'x'.repeat(200)}`);
    await emulator.control('POST /faults', { body: { request: 'any', status: 503 } });
    await emulator.control('DELETE /faults');
    const consent = `${emulator.authUrl}/oauth2/authorize/v4?client_id=${emulator.clientId}&response_type=code&redirect_uri=${encodeURIComponent(`http://127.0.0.1:1/${'long'.repeat(60)}`)}`;
    const pages = [
      emulator.authUrl,
      consent,
      consent.replace('client_id=', 'client_id=no'),
      `${emulator.authUrl}/open.htm`,
    ];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        for (const url of pages) {
          await page.goto(url);
          const where = `${url} at ${width}, ${colorScheme}`;
          const [whole, shown] = (await page.evaluate(
            '[document.documentElement.scrollWidth, innerWidth]',
          )) as number[];
          assert.ok(Number(whole) <= Number(shown), `${where}: ${whole} > ${shown}`);
          for (const { text, ratio } of await contrastsOf(page))
            assert.ok(ratio >= 4.5, `${where}: ${ratio} in ${text}`);
        }
      }
    }
  },
);
