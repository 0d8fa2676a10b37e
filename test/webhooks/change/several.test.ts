// Several webhooks in one command: each is changed, read back and reported by its URL and id. If one fails, wm still tries the
// others, and the exit status says that a part failed.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { seedOf } from '#test/emulator/seed/any-seed.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { fail, inFront } from '#test/support/service/intercept.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';
import { jsonLines, withHooks } from '../three-webhooks.ts';

const missingId = 'IEAAAAAQJAAAAAAB';

test('suspends, resumes and reads back each, with one line each', async (context) => {
  const { wm, one, two, three, nameOne, nameTwo, nameThree, statuses } = await withHooks(context);
  const ran = await wm(['webhook', 'suspend', one, two, '--yes']);
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.output, new RegExp(`^${one}\tSuspended\t.*\n${two}\tSuspended\t.*\n$`));
  for (const name of [nameOne, nameTwo])
    assert.ok(
      ran.errors.includes(`Suspended: ${name}, read back from the service. It delivers nothing`),
      ran.errors,
    );
  assert.deepEqual(await statuses(), ['Suspended', 'Suspended', 'Active']);

  // A webhook that is active already is not an error; a repeated id counts once; resuming asks nothing.
  const back = await wm(['webhook', 'resume', one, three, two, one, '--json', '--no-verify']);
  assert.equal(back.status, 0, back.errors);
  assert.deepEqual(
    jsonLines(back.output).map(({ id, status }) => [id, status]),
    [one, three, two].map((id) => [id, 'Active']),
  );
  assert.ok(back.errors.includes(`${nameThree} is already Active. Nothing was changed.`), back.errors);
});

test('one does not exist: suspends the others, and exits with 8', async (context) => {
  const { wm, one, two, statuses } = await withHooks(context);
  const ran = await wm(['webhook', 'suspend', one, missingId, two, '--yes']);
  assert.equal(ran.status, 8, ran.errors);
  assert.match(ran.output, new RegExp(`^${one}\tSuspended\t.*\n${two}\tSuspended\t.*\n$`));
  assert.match(ran.errors, new RegExp(`^wm: .*${missingId}`, 'm'));
  assert.match(ran.errors, new RegExp(`^wm: 1 of 3 webhooks was not suspended: ${missingId}$`, 'm'));
  assert.deepEqual(await statuses(), ['Suspended', 'Suspended', 'Active']);
});

test('one is rejected: names its id, with the command that retries it', async (context) => {
  const { wm, control, one, two, three, nameOne, statuses } = await withHooks(context);
  await control('faults', { request: 'updateWebhook', status: 403, error: 'not_allowed' });
  const ran = await wm(['webhook', 'suspend', one, two, three, '--yes', '--json']);
  assert.equal(ran.status, 8, ran.errors);
  assert.equal(jsonLines(ran.output).length, 2);
  const [first, last] = ran.errors
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line).error);
  assert.deepEqual([first.code, first.httpStatus], ['not_allowed', 403]);
  assert.ok(first.message.startsWith(`Webhook ${one} (http://hooks.example.com/one): `), first.message);
  assert.equal(last.code, 'part_failed');
  assert.equal(last.message, `1 of 3 webhooks was not suspended: ${nameOne}`);
  assert.ok(last.hint.includes(`wm webhook suspend ${one}`), last.hint);
  assert.deepEqual(await statuses(), ['Active', 'Suspended', 'Suspended']);
});

test('does not report an unknown outcome as a failure', async (context) => {
  const { wm, environment, one, two, nameOne } = await withHooks(context);
  // In front of the emulator: neither the change of the first webhook nor reading it gets a response.
  let isSent = false;
  const host = await inFront(context, environment['WM_HOST'], ({ method, url, socket }) => {
    isSent ||= method === 'PUT' && url?.includes(one) === true;
    if (!isSent || !url?.includes(one)) return false;
    socket.destroy();
    return true;
  });
  const ran = await wm(['webhook', 'suspend', one, two, '--yes'], {
    environment: { WM_HOST: host },
    world: { clock: { ...createWorld().clock, sleep: async () => {} } },
  });
  assert.equal(ran.status, 8, ran.errors);
  assert.match(ran.output, new RegExp(`^${two}\tSuspended\t.*\n$`));
  const message = `It is unknown whether ${nameOne} was suspended`;
  assert.ok(
    ran.errors.includes(`\nwm: ${message}\n  You can run it again safely: wm webhook suspend ${one} --yes\n`),
    ran.errors,
  );
});

test('a single id exits with the status of its failure', async (context) => {
  const { wm, control, one } = await withHooks(context);
  assert.equal((await wm(['webhook', 'suspend', missingId, '--yes'])).status, 5);
  await control('faults', { request: 'updateWebhook', status: 403, error: 'not_allowed' });
  assert.equal((await wm(['webhook', 'suspend', one, one, '--yes'])).status, 3);
});

test('stops at once at a rejected token, with its own status', async (context) => {
  const { wm, one, two } = await withHooks(context);
  const ran = await wm(['webhook', 'suspend', one, two, '--yes'], { environment: { WM_TOKEN: 'old' } });
  assert.equal(ran.status, 4, ran.errors);
  assert.equal(ran.errors.match(/^wm: /gm)?.length, 1, ran.errors);
});

test('a text without a match: sends nothing for any of them', async (context) => {
  const { wm, one, statuses } = await withHooks(context);
  const ran = await wm(['webhook', 'suspend', one, 'IEAA AAAQ', '--yes']);
  assert.equal(ran.status, 5, ran.errors);
  assert.ok(ran.errors.includes('IEAA AAAQ'), ran.errors);
  assert.deepEqual(await statuses(), ['Active', 'Active', 'Active']);
});

test('without a prompt: suspends nothing, and the question names each', async (context) => {
  const { wm, one, two, nameOne, nameTwo, statuses } = await withHooks(context);
  const ran = await wm(['webhook', 'suspend', one, two]);
  assert.equal(ran.status, 2, ran.errors);
  assert.ok(ran.errors.includes(`Not confirmed: Suspend 2 webhooks: ${nameOne} and ${nameTwo}?`), ran.errors);
  assert.deepEqual(await statuses(), ['Active', 'Active', 'Active']);
});

test('only shown: one request each, and nothing is sent', async (context) => {
  const { wm, one, two, statuses } = await withHooks(context);
  const json = await wm(['webhook', 'suspend', one, two, '--dry-run', '--json']);
  assert.equal(json.status, 0, json.errors);
  const shown = json.output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    shown.map(({ method, url }) => [method, url.slice(url.lastIndexOf('/') + 1)]),
    [one, two].map((id) => ['PUT', `${id}?status=Suspended`]),
  );
  const curl = await wm(['webhook', 'suspend', one, two, '--curl']);
  assert.equal(curl.output.match(/^curl /gm)?.length, 2, curl.output);
  assert.deepEqual(await statuses(), ['Active', 'Active', 'Active']);
});

test('on a terminal, lists them with their account, and asks once', async (context) => {
  const stage = await setStage(context);
  const ids: string[] = [];
  for (const name of ['one', 'two']) {
    const hookUrl = `https://hooks.example.com/${name}`;
    const { body } = await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl })}`);
    ids.push(body.data[0].id);
  }
  const terminal = openInProcess(context, stage, `wm webhook suspend ${ids.join(' ')}`, { columns: 200 });
  await terminal.shows('Account Paper Lantern Studio, as Ada Fields');
  const names = ['one', 'two'].map((name, index) => `https://hooks.example.com/${name} (${ids[index]})`);
  for (const name of names) await terminal.shows(`  ${name}: events for the account or a space`);
  await terminal.shows('Suspend these 2 webhooks?');
  await terminal.shows('(y/N)');
  terminal.type(`y${key.enter}`);
  for (const name of names) await terminal.shows(`Suspended: ${name}, read back`);
  for (const [at, name] of ['one', 'two'].entries())
    await terminal.shows(new RegExp(`Suspended +hooks.example.com/${name} .* ${ids[at]}`));
  assert.equal(await terminal.ended, 0);
});

test('suspends one again that was resumed during the question', async (context) => {
  const stage = await setStage(context);
  const { emulator } = stage;
  const ids: string[] = [];
  for (const name of ['one', 'two']) {
    const hookUrl = `https://hooks.example.com/${name}`;
    const { body } = await call(emulator, 'POST', `/webhooks?${query({ hookUrl })}`);
    ids.push(body.data[0].id);
  }
  const [firstId] = ids;
  await call(emulator, 'PUT', `/webhooks/${firstId}?status=Suspended`);
  const terminal = openInProcess(context, stage, `wm webhook suspend ${ids.join(' ')}`, { columns: 200 });
  await terminal.shows('(y/N)');
  await call(emulator, 'PUT', `/webhooks/${firstId}?status=Active`);
  terminal.type(`y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  const { body } = await call(emulator, 'GET', `/webhooks/${ids.join(',')}`);
  assert.deepEqual(
    body.data.map(({ status }: { status: string }) => status),
    ['Suspended', 'Suspended'],
  );
});

/** So many webhooks, and the requests that `answer` sees in front of the emulator: it returns true for those that it answers. */
async function withMany(context: TestContext, count: number, answer: Parameters<typeof inFront>[2]) {
  const webhooks = Array.from({ length: count }, (_, index) => ({ hookUrl: `https://a.example/${index}` }));
  const { wm, emulator, environment } = await emulated(context, { seed: seedOf({ version: 1, webhooks }) });
  const { body } = await call(emulator, 'GET', '/webhooks');
  const ids: readonly string[] = body.data.map(({ id }: { readonly id: string }) => id);
  const waits: number[] = [];
  const { monotonic, ...clock } = createWorld().clock;
  /** A wait is over at once, and the time has moved on. */
  const waitless = {
    ...clock,
    monotonic: () => monotonic() + waits.reduce((sum, wait) => sum + wait, 0),
    sleep: async (milliseconds: number) => void waits.push(milliseconds),
  };
  const host = await inFront(context, environment['WM_HOST'], answer);
  const suspend = (selection: readonly string[]) =>
    wm(['webhook', 'suspend', ...selection, '--yes'], {
      environment: { WM_HOST: host },
      world: { clock: waitless },
    });
  return { wm, ids, waits, suspend, suspendAll: () => suspend(['--all']) };
}

test('suspends eight of many at once, and prints the results in the order given', async (context) => {
  const waiting: (() => void)[] = [];
  const { wm, ids, suspendAll } = await withMany(context, 16, ({ method }, response) => {
    if (method !== 'PUT') return false;
    waiting.push(() => fail(response, 403, 'not_allowed'));
    // No request gets a response before eight have arrived: in sequence they would wait for ever.
    if (waiting.length === 8) for (const answer of waiting.splice(0)) answer();
    return true;
  });
  const refused = await suspendAll();
  assert.equal(refused.status, 8, refused.errors);
  assert.match(refused.errors, /^wm: 16 of 16 webhooks were not suspended: /m);
  const ran = await wm(['webhook', 'suspend', '--all', '--yes']);
  assert.deepEqual(ran.output.match(/^\w+/gm), ids);
});

test('reads many back in one request, and waits out a rate limit for all of them', async (context) => {
  let puts = 0;
  const reads: (readonly string[])[] = [];
  const { ids, waits, suspendAll } = await withMany(context, 120, ({ method, url = '' }, response) => {
    const [, read] = /\/webhooks\/([^?]+)/.exec(url) ?? [];
    if (method === 'GET' && read !== undefined) reads.push(read.split(','));
    if (method !== 'PUT' || ++puts !== 60) return false;
    response.setHeader('retry-after', '90');
    return fail(response, 429, 'rate_limit_exceeded');
  });
  const ran = await suspendAll();
  assert.equal(ran.status, 0, ran.errors);
  assert.deepEqual(
    ran.output.match(/^\w+\tSuspended/gm),
    ids.map((id) => `${id}\tSuspended`),
  );
  assert.deepEqual(reads.flat().toSorted(), ids.toSorted());
  assert.ok(reads.length < 30, `${reads.length} requests read 120 webhooks back`);
  assert.ok(Math.max(...waits) > 80_000, `${waits}`);
  assert.match(ran.errors, /^The service limits the rate of requests. Waiting 90 s.$/m);
});

test('a rate limit of more than fifteen minutes ends the command, which prints how to repeat the rest', async (context) => {
  let puts = 0;
  const { ids, suspendAll } = await withMany(context, 16, ({ method }, response) => {
    if (method !== 'PUT' || ++puts <= 8) return false;
    response.setHeader('retry-after', '3600');
    return fail(response, 429, 'rate_limit_exceeded');
  });
  const { status, output, errors } = await suspendAll();
  assert.equal(status, 8, errors);
  const done = output.match(/^\w+(?=\tSuspended)/gm) ?? [];
  assert.equal(done.length, 8, output);
  const rest = ids.filter((id) => !done.includes(id));
  assert.match(errors, /waiting it out would take longer than 15 minutes; /);
  assert.ok(errors.endsWith(`Then repeat the rest: wm webhook suspend ${rest.join(' ')} --yes\n`), errors);
});

for (const [what, status, body] of [
  ['the service fails to read', 500, { error: 'server_error', errorDescription: 'A fault of the test' }],
  ['is read without an id', 200, { kind: 'webhooks', data: [{ status: 'Active' }] }],
  ['is left out of the response', 200, { kind: 'webhooks', data: [] }],
] as const)
  test(`one of many ${what}: suspends the others anyway`, async (context) => {
    let oddId = '';
    const { wm, ids, suspend } = await withMany(context, 16, ({ method, url = '' }, response) => {
      if (method !== 'GET' || oddId === '' || !url.includes(oddId)) return false;
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(body));
      return true;
    });
    // The first waits to be read back, together with others, until the last change is sent.
    const others = ids.slice(1);
    oddId = ids[0] ?? '';
    // Those that are given by their ids are read beforehand, too.
    for (const selection of [ids, ['--all']]) {
      const ran = await suspend(selection);
      assert.equal(ran.status, 8, ran.errors);
      assert.deepEqual(ran.output.match(/^\w+(?=\tSuspended)/gm), others, ran.errors);
      await wm(['webhook', 'resume', '--all', '--yes', '--no-verify']);
    }
  });
