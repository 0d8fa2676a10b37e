// The page of `wm webhook listen --ui` in a real browser: deliveries as they come, filter, keys, details, replay; text that is
// hostile; narrow and wide, light and dark; and what a screen reader is told.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { toLoggedDelivery } from '#receiver/archive/deliveries/logged-delivery.ts';
import type { TargetState } from '#receiver/core/forwarding/target-line.ts';
import { sanitizeJson } from '#terminal/sanitize.ts';
import { sampleDelivery, sampleTarget as target } from '#test/receiver/core/intake/samples.ts';
import { type DrivenPage, type DrivenParts, drivePage, eventBody } from '#test/receiver/page/driven-page.ts';
import { noon } from '#test/support/clock.ts';
import { contrastsOf, type Opened, openPage, skip } from './chromium.ts';

const limits = { skip, timeout: 120_000 };

interface Staged extends Opened {
  readonly receiver: DrivenPage;
}

async function staged(t: TestContext, parts: DrivenParts = {}): Promise<Staged> {
  const receiver = await drivePage(t, parts);
  const opened = await openPage(t);
  await opened.page.setViewportSize({ width: 1280, height: 900 });
  await opened.page.goto(receiver.url);
  await opened.page.getByText('Live', { exact: true }).waitFor();
  return { ...opened, receiver };
}

const row = (page: Page, sequence: number) => page.locator(`#rows tr[data-sequence="${sequence}"]`);
/** The numbers of the rows that are shown, in order. */
const shown = async (page: Page) =>
  (await page.locator('#rows tr:visible td:first-child').allTextContents()).join(' ');
const focused = (page: Page) =>
  page.evaluate('document.activeElement.dataset.sequence ?? document.activeElement.id');
const ofCss = (page: Page) => page.evaluate('[document.documentElement.scrollWidth, innerWidth]');

test('deliveries appear as they arrive, and each row follows its outcome', limits, async (t) => {
  const { receiver, page, origins, complaints } = await staged(t, {
    titleOf: (id) => (id === 'IEAAAAAQKQAB5BNG' ? 'Order paper' : undefined),
  });
  await page.getByText('No delivery has come yet.').waitFor();
  receiver.receive();
  await row(page, 1).getByText('waiting').waitFor();
  const cells = async () => row(page, 1).locator('td').allTextContents();
  assert.deepEqual((await cells()).toSpliced(1, 1), [
    '#1',
    'TaskStatusChanged',
    'Order paper',
    'valid',
    '',
    'waiting',
  ]);
  receiver.attempt(1, { outcome: '502', verdict: 'retry', finishes: false });
  await row(page, 1).getByText('retrying, 502').waitFor();
  receiver.attempt(1, { attempt: 2 });
  receiver.onActivity({ kind: 'duplicate', sequence: 1, time: noon });
  await row(page, 1).getByText('forwarded, 200').waitFor();
  assert.deepEqual((await cells()).slice(5), ['×1', 'forwarded, 200 12 ms']);
  receiver.receive({ signature: 'unsigned', body: eventBody('CommentAdded', 'IEAAAAAQKQAB5BNH') });
  await row(page, 2).getByText('unsigned').waitFor();
  assert.equal(await shown(page), '#2 #1', 'the newest first');
  const caption = page.locator('#chart-text');
  await caption
    .getByText(/^Since \d\d:\d\d: 2 deliveries, 1 failure\. Busiest minute: \d\d:\d\d, with [12]\.$/)
    .waitFor();
  assert.match(
    (await page.locator('#counters').textContent()) ?? '',
    /^Received2\nForwarded1\nUnfinished2\nFailed attempts1/,
  );
  assert.deepEqual([...origins], [new URL(receiver.url).origin]);
  assert.deepEqual(complaints, []);
});

test(
  'shows waiting deliveries per target, since when and why; reasons of rejections are small print',
  limits,
  async (t) => {
    const line = { target, inFlight: 0, waiting: 1, retrying: 1, fault: undefined, isBehind: false };
    let lines: readonly TargetState[] = [{ ...line, oldest: noon }];
    const { receiver, page, complaints } = await staged(t, { targets: () => lines });
    const stuck = page.locator('#stuck');
    receiver.receive();
    receiver.attempt(1, { outcome: '500', verdict: 'retry', finishes: false, detail: 'no such\n table' });
    await stuck
      .getByText(
        /: 2 deliveries wait, 1 of them after a failure; the oldest came at .+\. Last failure: 500: no such table\.$/,
      )
      .waitFor();
    lines = [{ ...line, retrying: 0, waiting: 10_000, isBehind: true, oldest: noon }];
    receiver.onActivity({ kind: 'target', target, fault: 'connection refused' });
    // It is not stuck as long as it can be reached and nothing has failed.
    await stuck.getByText(target).waitFor({ state: 'detached' });
    lines = lines.map((stuck) => ({ ...stuck, fault: 'connection refused' }));
    receiver.receive();
    await stuck.getByText(/: more than 10,000 deliveries wait; the oldest came at /).waitFor();
    receiver.onActivity({ kind: 'rejected', time: noon, reason: 'bad-signature', status: 503 });
    const reasons = page.locator('#counters small');
    await reasons.getByText('1 with a bad signature').waitFor();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const { height = 0 } = (await reasons.boundingBox()) ?? {};
      assert.ok(height > 0 && height < 40, `${height} px high at a width of ${width}`);
      const [content, window] = (await ofCss(page)) as readonly [number, number];
      assert.equal(content, window);
    }
    assert.deepEqual(complaints, []);
  },
);

test('the filter: text, event and state', limits, async (t) => {
  const { receiver, page, complaints } = await staged(t);
  receiver.receive({ body: eventBody('TaskCreated', 'T1') });
  receiver.receive({ body: eventBody('CommentAdded', 'T2') });
  receiver.receive({ body: eventBody('TaskCreated', 'T3') });
  receiver.attempt(1, { verdict: 'dead', outcome: '500' });
  await row(page, 1).getByText('dead letter').waitFor();
  await page.getByRole('searchbox', { name: 'Text' }).fill('t2');
  assert.equal(await shown(page), '#2');
  await page.getByText('1 of 3 deliveries').waitFor();
  for (const [words, numbers] of [
    ['#1', '#1'],
    ['COMMENTadded valid', '#2'],
    ['dead letter 500', '#1'],
    ['taskcreated t3', '#3'],
    ['signature', ''],
  ] as const) {
    await page.getByRole('searchbox', { name: 'Text' }).fill(words);
    assert.equal(await shown(page), numbers, words);
  }
  await page.getByRole('searchbox', { name: 'Text' }).fill('nothing such');
  await page.getByText('No delivery matches the filter.').waitFor();
  await page.getByRole('searchbox', { name: 'Text' }).fill('');
  await page.getByRole('combobox', { name: 'Event' }).selectOption('TaskCreated');
  assert.equal(await shown(page), '#3 #1');
  await page.getByRole('combobox', { name: 'State' }).selectOption('dead letter');
  assert.equal(await shown(page), '#1');
  // What comes is filtered too.
  receiver.receive({ body: eventBody('TaskCreated', 'T4') });
  await page.getByText('1 of 4 deliveries').waitFor();
  assert.equal(await shown(page), '#1');
  assert.deepEqual(complaints, []);
});

test('with the keyboard alone: through the list, details, replay, filter, help', limits, async (t) => {
  const replayed: number[] = [];
  const { receiver, page, complaints } = await staged(t, {
    replay: async ({ sequence }) => {
      replayed.push(sequence);
      return {
        replays: [
          {
            sequence,
            time: noon + 9000,
            target,
            outcome: '204',
            milliseconds: 5,
            verdict: 'forwarded',
          },
        ],
      };
    },
  });
  for (let count = 0; count < 5; count++) receiver.receive();
  receiver.attempt(4, { verdict: 'dead', outcome: '500', detail: 'Internal error' });
  await row(page, 4).getByText('dead letter').waitFor();
  const { keyboard } = page;
  await keyboard.press('j');
  assert.equal(await focused(page), '5');
  await keyboard.press('ArrowDown');
  assert.equal(await focused(page), '4');
  await keyboard.press('End');
  assert.equal(await focused(page), '1');
  await keyboard.press('Home');
  assert.equal(await focused(page), '5');
  await keyboard.press('k');
  assert.equal(await focused(page), '5', 'there is none above');
  await keyboard.press('j');
  assert.equal(await row(page, 4).getAttribute('aria-selected'), 'true');
  assert.equal(await page.locator('#rows tr[aria-selected="true"]').count(), 1);
  // Nothing is sent before the details are open.
  await keyboard.press('r');
  assert.deepEqual(replayed, []);
  await keyboard.press('Enter');
  const details = page.getByRole('region', { name: '#4 TaskStatusChanged' });
  await details.getByText('Internal error').waitFor();
  assert.equal(await focused(page), 'details-title');
  await keyboard.press('r');
  await details.getByRole('status').getByText(`forwarded, 204 in 5 ms by ${target}`).waitFor();
  assert.deepEqual(replayed, [4]);
  await row(page, 4).getByText('replayed, 204').waitFor();
  await details.getByText('(replay)').waitFor();
  // The details follow the selection.
  await keyboard.press('j');
  await page.getByRole('region', { name: '#3 TaskStatusChanged' }).waitFor();
  assert.equal(await page.locator('#replay-state').textContent(), '', 'the result was that of another');
  await keyboard.press('Escape');
  assert.equal(await page.locator('#details').isVisible(), false);
  assert.equal(await focused(page), '3');
  await keyboard.press('/');
  assert.equal(await focused(page), 'filter-text');
  await keyboard.type('#2rj');
  assert.equal(await page.locator('#filter-text').inputValue(), '#2rj', 'keys are text in a field');
  await keyboard.press('Escape');
  assert.notEqual(await focused(page), 'filter-text');
  await keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await keyboard.press('j');
  assert.equal(await page.getByRole('dialog').isVisible(), true);
  await keyboard.press('Escape');
  assert.equal(await page.getByRole('dialog').isVisible(), false);
  // A combination belongs to the browser.
  await keyboard.press('Control+j');
  assert.deepEqual(replayed, [4]);
  assert.deepEqual(complaints, []);
});

test('Tab reaches everything, in order, and the focus is visible', limits, async (t) => {
  const { receiver, page } = await staged(t);
  receiver.receive();
  receiver.receive();
  await row(page, 2).waitFor();
  const order: unknown[] = [];
  for (let count = 0; count < 6; count++) {
    await page.keyboard.press('Tab');
    order.push(await focused(page));
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    assert.equal(outline, 'solid', String(order.at(-1)));
  }
  assert.deepEqual(order, ['show-help', 'filter-text', 'filter-event', 'filter-state', 'pause', '2']);
  const pause = page.getByRole('button', { name: 'Pause' });
  await pause.press(' ');
  assert.equal(await pause.getAttribute('aria-pressed'), 'true', 'the space belongs to a focused button');
  await pause.press('Enter');
  await row(page, 2).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: /^#2/ }).waitFor();
  const inside: unknown[] = [];
  for (let count = 0; count < 5; count++) {
    await page.keyboard.press('Tab');
    inside.push(await focused(page));
  }
  assert.deepEqual(inside, ['close-details', 'replay', 'copy', 'download', 'body']);
});

test('details show the body as received, and download it', limits, async (t) => {
  const { receiver, page, complaints } = await staged(t);
  const text = '[{"eventType":"TaskCreated","id":12345678901234567890}]';
  receiver.receive({ body: new TextEncoder().encode(text), path: '/hook?x=1' });
  receiver.receive({ body: new TextEncoder().encode('{"cut') });
  receiver.receive({ body: new Uint8Array([0xff]) });
  receiver.receive({ body: new Uint8Array() });
  receiver.receive({ body: new TextEncoder().encode(`["${'x'.repeat(300_000)}"]`) });
  await row(page, 1).click();
  const body = page.getByLabel('Body', { exact: true });
  await body.getByText('12345678901234567890').waitFor();
  assert.equal(
    await body.textContent(),
    '[\n  {\n    "eventType": "TaskCreated",\n    "id": 12345678901234567890\n  }\n]',
  );
  await page.locator('#facts').getByText('/hook?x=1').waitFor();
  await page.getByRole('table', { name: 'Headers' }).getByText('X-Hook-Signature').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByText('Download body').click(),
  ]);
  assert.equal(download.suggestedFilename(), 'delivery-1.json');
  const parts: Buffer[] = [];
  for await (const part of await download.createReadStream()) parts.push(Buffer.from(part));
  assert.equal(Buffer.concat(parts).toString(), text);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy body' }).click();
  await page.getByText('Copied.').waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), text, 'copied as received');
  for (const [sequence, note] of [
    [2, 'It is not JSON.'],
    [3, 'It is not UTF-8'],
    [4, 'It is empty.'],
    [5, 'Only the beginning is shown.'],
  ] as const) {
    await row(page, sequence).click();
    await page.locator('#body-note').getByText(note).waitFor();
  }
  assert.deepEqual(complaints, []);
});

test('hostile text is only text, wherever it appears', limits, async (t) => {
  const evil = '</script><script>window.hit=1</script><img src=x onerror="window.hit=2">\u202e\u001b[31m';
  const { receiver, page, origins, complaints } = await staged(t, {
    titleOf: () => evil,
    replay: async ({ sequence }) => ({
      replays: [
        {
          sequence,
          time: noon,
          target: evil,
          outcome: evil,
          milliseconds: 1,
          verdict: 'failed',
          detail: evil,
        },
      ],
      problem: evil,
    }),
  });
  const body = JSON.stringify([{ eventType: evil, taskId: evil, [evil]: evil }]);
  receiver.receive({ body: new TextEncoder().encode(body), path: `/${evil}`, headers: [[evil, evil]] });
  receiver.attempt(1, { target: evil, outcome: evil, detail: evil, verdict: 'dead' });
  receiver.onActivity({ kind: 'target', target: evil, fault: evil });
  await row(page, 1).click();
  await page.getByLabel('Body', { exact: true }).getByText('window.hit=1').waitFor();
  await page.keyboard.press('r');
  await page.locator('#replay-state').getByText('window.hit=1').first().waitFor();
  await page.getByRole('alert').getByText('window.hit=1').waitFor();
  await page.getByRole('combobox', { name: 'Event' }).selectOption(sanitizeJson(evil));
  assert.equal(await page.evaluate('window.hit'), undefined);
  assert.equal(await page.locator('main img, main script, #problems *:not(p)').count(), 0);
  assert.deepEqual([...origins], [new URL(receiver.url).origin]);
  assert.deepEqual(complaints, []);
  // The reading direction of what follows is not turned, nor is it hidden that somebody tried.
  const visible = (await page.getByLabel('Body', { exact: true }).textContent()) ?? '';
  assert.doesNotMatch(visible, /\u202e/);
  assert.match(visible, /\\u202e/);
});

test('code that the policy forbids does not run, even if it gets into the page', limits, async (t) => {
  const { page, complaints } = await staged(t);
  // As if some text had become HTML: the browser refuses it twice.
  const refused = await page.evaluate(`(() => {
    try { document.body.innerHTML = '<img src=x onerror="window.hit = 1">'; return 'inserted'; }
    catch (error) { return error.name; }
  })()`);
  assert.equal(refused, 'TypeError');
  await page
    .evaluate(`(() => {
    const script = document.createElement('script');
    try { script.text = 'window.hit = 2'; } catch { script.append('window.hit = 3'); }
    document.body.append(script);
  })()`)
    .catch(() => undefined);
  assert.equal(await page.evaluate('window.hit'), undefined);
  assert.notDeepEqual(complaints, [], 'the browser says what it refused');
});

test(
  'pause holds back new rows, keeps visible ones current, and shows all when it ends',
  limits,
  async (t) => {
    const { receiver, page } = await staged(t);
    receiver.receive();
    await row(page, 1).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    receiver.receive();
    receiver.attempt(1);
    await row(page, 1).getByText('forwarded, 200').waitFor();
    await page.getByText('1 delivery, 1 new').waitFor();
    assert.equal(await shown(page), '#1');
    await page.keyboard.press('p');
    await row(page, 2).waitFor();
    await page.getByText('2 deliveries', { exact: true }).waitFor();
  },
);

test(
  'a burst of 5,000: shows the last 500, keeps the selected row, and loads older ones on request',
  limits,
  async (t) => {
    let drawn = 0;
    const { receiver, page, complaints } = await staged(t, {
      older: async (before) =>
        before === Number.POSITIVE_INFINITY
          ? []
          : [...Array(Math.min(100, before - 1)).keys()].map((at) =>
              known(before - Math.min(100, before - 1) + at),
            ),
    });
    await page.exposeFunction('drawn', () => drawn++);
    await page.evaluate(
      'new MutationObserver(() => window.drawn()).observe(document.querySelector("#rows"), { childList: true })',
    );
    for (let count = 0; count < 5000; count++) {
      receiver.receive();
      // So that much of it arrives while the page draws.
      if (count % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await row(page, 5000).waitFor();
    assert.equal(await page.locator('#rows tr').count(), 500);
    await page.getByText('500 deliveries').waitFor();
    t.diagnostic(`5,000 deliveries, drawn ${drawn} times`);
    assert.ok(drawn < 500, `${drawn} times`);
    await row(page, 4990).click();
    receiver.receive();
    await row(page, 5001).waitFor();
    assert.equal(await row(page, 4990).getAttribute('aria-selected'), 'true');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Show older' }).click();
    await row(page, 4402).waitFor();
    assert.equal(await page.locator('#rows tr').count(), 600);
    assert.deepEqual(complaints, []);
  },
);

test('announces a storage fault and a target that is down, until they are over', limits, async (t) => {
  const { receiver, page } = await staged(t);
  receiver.fault = 'no space left on device';
  receiver.onActivity({ kind: 'storage', fault: receiver.fault });
  receiver.onActivity({ kind: 'target', target, fault: 'connection refused' });
  const alert = page.getByRole('alert');
  await alert.getByText('Deliveries cannot be stored').getByText('no space left on device').waitFor();
  await alert.getByText(`${target} cannot be reached; its deliveries wait: connection refused`).waitFor();
  receiver.fault = undefined;
  receiver.onActivity({ kind: 'target', target, fault: undefined });
  await alert.locator('p').first().waitFor({ state: 'detached' });
  assert.equal(await alert.textContent(), '');
});

test('the page says when the receiver has ended', limits, async (t) => {
  const { receiver, page } = await staged(t);
  receiver.receive();
  await row(page, 1).waitFor();
  await receiver.close();
  await page.getByRole('status').getByText('Connection lost. Trying again.').waitFor();
  await row(page, 1).click();
  await page.getByText('The receiver does not respond').waitFor();
});

test('without a target there is no replay', limits, async (t) => {
  const { receiver, page } = await staged(t, { replay: undefined });
  receiver.receive();
  await row(page, 1).click();
  const button = page.getByRole('button', { name: 'Replay' });
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
  await button.click({ force: true });
  await page.getByRole('status').getByText('No target to send it to').waitFor();
});

test(
  'at 390 and 1280 pixels, light and dark: nothing scrolls sideways, and text has enough contrast',
  limits,
  async (t) => {
    const { receiver, page, complaints } = await staged(t, { titleOf: () => 'W'.repeat(300) });
    receiver.receive({
      body: eventBody('X'.repeat(300), 'Y'.repeat(300)),
      path: `/${'z'.repeat(500)}`,
      headers: [['H'.repeat(200), 'v'.repeat(900)]],
    });
    receiver.attempt(1, {
      outcome: '502',
      verdict: 'retry',
      finishes: false,
      detail: 'd'.repeat(900),
      target: `http://${'t'.repeat(300)}/`,
    });
    receiver.onActivity({ kind: 'target', target: 'u'.repeat(500), fault: 'f'.repeat(500) });
    await row(page, 1).getByText('retrying').waitFor();
    let contrasts = 0;
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [390, 1280]) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height: 850 });
        assert.deepEqual(await ofCss(page), [width, width]);
        await row(page, 1).click();
        await page.getByRole('region', { name: /^#1 / }).waitFor();
        await page.locator('#attempts').getByText('ddd').waitFor();
        assert.deepEqual(await ofCss(page), [width, width]);
        const panel = await page.evaluate(
          '(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector("#details"))',
        );
        assert.ok(Array.isArray(panel) && panel[0] === panel[1], `the details: ${panel}`);
        for (const ratio of await contrastsOf(page)) {
          contrasts++;
          assert.ok(ratio.ratio >= 4.5, `${colorScheme} ${width}: ${ratio.text}: ${ratio.ratio}`);
        }
        await page.keyboard.press('Escape');
        assert.equal(await page.locator('#details').isVisible(), false);
        assert.equal(await page.evaluate('document.getAnimations().length'), 0);
      }
    }
    t.diagnostic(`${contrasts} contrasts`);
    assert.ok(contrasts > 100);
    assert.deepEqual(complaints, []);
  },
);

test('the accessibility tree: landmarks, a grid with headers, names for every control', limits, async (t) => {
  const { receiver, page } = await staged(t);
  receiver.receive();
  receiver.attempt(1);
  await row(page, 1).getByText('forwarded').waitFor();
  const tree = await page.locator('body').ariaSnapshot();
  for (const line of [
    /- banner:\n\s+- heading "wm webhook listen" \[level=1\]\n\s+- status: Live\n\s+- button "Keys \?"/,
    /- main:/,
    /- region "Overview":/,
    /img "Since \d\d:\d\d: 1 delivery, 0 failures\. .*"/,
    /- region "Deliveries":/,
    /- search "Filter the deliveries":/,
    /- searchbox "Text"/,
    /- combobox "Event":/,
    /- combobox "State":/,
    /- button "Pause"/,
    /- grid "Deliveries":/,
    /row "No\. Time Event Task Signature Duplicates Result":/,
    /- columnheader "Signature"/,
    /row "#1 .* TaskStatusChanged IEAAAAAQKQAB5BNG valid forwarded, 200 12 ms"/,
    /- gridcell "TaskStatusChanged"/,
  ])
    assert.match(tree, line);
  await page.setViewportSize({ width: 390, height: 800 });
  // Laid out otherwise, and still a grid.
  assert.match(
    await page.locator('main').ariaSnapshot(),
    /- grid "Deliveries":[\s\S]*columnheader "No\."[\s\S]*gridcell "#1"/,
  );
  await row(page, 1).click();
  await page.getByRole('region', { name: '#1 TaskStatusChanged' }).waitFor();
  const details = await page.locator('#details').ariaSnapshot();
  for (const line of [
    /- button "Close the details"/,
    /- button "Replay"/,
    /- link "Download body"/,
    /- table "Attempts":/,
    /- table "Headers":/,
  ])
    assert.match(details, line);
});

const known = (sequence: number) => toLoggedDelivery(sampleDelivery({ sequence, body: eventBody() }));
