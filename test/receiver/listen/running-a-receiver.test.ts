// docs/running-a-receiver.md: the command of its systemd unit and the one of its container are run as they are written there, with
// free ports, and what it says of the metrics is what they are.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { listenFlags } from '#receiver/listen/listen-flags.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { readPrometheusText } from '../core/metrics/read-prometheus-text.ts';
import { deliver, listen, startTarget } from './running-listener.ts';

const page = await readFile('docs/running-a-receiver.md', 'utf8');

function block(language: string): string {
  const found = [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))];
  assert.equal(found.length, 1, language);
  return found[0]?.[1] ?? '';
}

const secret = 'a secret of the unit';

/** The arguments behind `wm webhook listen`, with free ports, our own target and our own secret. */
async function runAsWritten(test: TestContext, words: readonly string[]) {
  assert.deepEqual(words.slice(0, 2), ['webhook', 'listen']);
  const folder = await ownFolder(test);
  const secretFile = join(folder, 'secret');
  await writeFile(secretFile, `${secret}\n`);
  const target = await startTarget(test);
  const typed = words.slice(2).map((word, at, all) => {
    if (all[at - 1] === '--secret-file') return secretFile;
    if (all[at - 1] === '--forward-to') return target.url;
    if (all[at - 1] === '--host') return '127.0.0.1';
    return word.replace(/^(?:4020|9464)$/, '0').replace(/^0\.0\.0\.0:9464$/, '127.0.0.1:0');
  });
  const environment = { WM_WEBHOOK_SECRET: undefined };
  const listener = await listen(test, [...typed, '--json'], { folder: join(folder, 'state'), environment });
  const [, metrics = ''] = await listener.prints(/Metrics are on (http:\S+)\/metrics/);
  assert.equal(await deliver(listener, [{ eventType: 'TaskCreated', taskId: 'IEA' }], { secret }), 200);
  await target.has(1);
  return { listener, metrics };
}

test('the command of the unit receives and forwards, and ends within its time limit', async (context) => {
  const unit = block('ini');
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
  const words = value('ExecStart').split(' ');
  assert.equal(words[0], '/usr/local/bin/wm');
  const { listener } = await runAsWritten(context, words.slice(1));
  const drain = Number(words[words.indexOf('--drain') + 1]);
  assert.ok(drain + 5 <= Number(value('TimeoutStopSec')), 'systemd waits for the drain');
  listener.interrupt('SIGTERM');
  assert.equal((await listener.ended).status, 0);
});

test('the command of the container does so too, and its health check confirms it', async (context) => {
  const file = block('dockerfile');
  const entry: string[] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(file)?.[1] ?? '');
  const more = /^ {4}wm-receiver (.*)$/m.exec(page)?.[1]?.split(' ') ?? [];
  assert.ok(more.includes('--secret-file'));
  assert.equal(entry[0], 'wm');
  const { listener, metrics } = await runAsWritten(context, [...entry.slice(1), ...more]);
  const check: string[] = JSON.parse(/^HEALTHCHECK .* CMD (.*)$/m.exec(file)?.[1] ?? '');
  const script = (check.at(-1) ?? '').replace('http://127.0.0.1:9464', metrics);
  assert.deepEqual(check.slice(0, 2), ['node', '-e']);
  const status = () => new Promise((exit) => runInNewContext(script, { fetch, process: { exit } }));
  assert.equal(await status(), 0);
  listener.interrupt('SIGTERM');
  assert.equal((await listener.ended).status, 0);
  assert.equal(await status(), 1);
  assert.match(page, /--stop-timeout 30 /);
  assert.match(listenFlags.drain.help, /default: 10/);
});

test('the page lists each metric with its labels, and no others; the alerts use them', async (context) => {
  const { listener, metrics } = await runAsWritten(
    context,
    block('ini')
      .match(/(?<=^ExecStart=\S+ ).*$/m)?.[0]
      .split(' ') ?? [],
  );
  await listener.next('attempt');
  const read = readPrometheusText(await (await fetch(`${metrics}/metrics`)).text());
  const listed = [...page.matchAll(/^\| `(wm_receiver_\w+)` \| (.*?) \|/gm)].map(([, name, labels = '']) => [
    name,
    [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label).toSorted(),
  ]);
  const labelsOf = (keys: Iterable<string>) =>
    [
      ...new Set([...keys].flatMap((key) => [...key.matchAll(/[{,](\w+)="/g)].map(([, label]) => label))),
    ].toSorted();
  const { size } = read.get('wm_receiver_webhook_active')?.samples ?? {};
  assert.equal(size, 0, 'this receiver knows no webhook');
  assert.deepEqual(
    listed,
    [...read].map(([name, { samples }]) => [name, labelsOf(samples.keys())]),
  );
  const { groups } = parse(block('yaml'));
  const expressions: string[] = groups[0].rules.map(({ expr }: { expr: string }) => expr);
  assert.ok(expressions.length >= 6);
  for (const expression of expressions) {
    for (const [, name = '', labels = ''] of expression.matchAll(/(wm_receiver_\w+)(?:\{(.*?)\})?/g)) {
      const found = read.get(name);
      assert.ok(found, expression);
      if (labels !== '') assert.ok(found.samples.has(`${name}{${labels}}`), expression);
    }
  }
});
