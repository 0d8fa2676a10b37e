// `wm webhook apply FILE`, run again until it ends well, sometimes beside another run of it. It holds:
// - It ends with the webhooks of the file, each once, with its status, its secret, and its label unless another one is said to have it.
//   The next run changes nothing.
// - No webhook is deleted that the file keeps, or whose URL it does not name, and a URL that it keeps always has an active webhook.
// - Who reads "Created" can rely on it. Exit statuses from 2 to 7 mean that nothing was changed.
// - Two runs without harm create each webhook once.
// - No output has a secret, and the stored secret that the file names stays.
// Excused: webhooks of one URL that nothing tells apart, since their records are lost or the disk did not let runs wait for each other,
// need --replace-unknown. Two runs that say that they could not wait may each create one, and so may two at once of which one dies.

import { sign, verify } from '#contract/signature.ts';
import { hold } from './events.ts';
import type { Machine } from './machine.ts';
import { at, folderId, type StoredWebhook, startWebhooks } from './webhooks.ts';

const secret = 'canary-webhook-secret';
const mostRuns = 12;
const records = '/home/.config/wm/state/webhooks/127.0.0.1_9000.json';

export async function apply(machine: Machine): Promise<void> {
  const { simulation, fates, disk, network } = machine;
  const { random } = simulation;
  await network.serve(7000, ({ headers }, body) => ({
    status: verify(secret, body, String(headers['x-hook-signature'])) ? 200 : 401,
    headers: { 'X-Hook-Secret': sign(secret, String(headers['x-hook-secret'])) },
    delayMs: random.next() * 50,
  }));
  const connectTo = [{ host: 'hooks.example.com', address: '127.0.0.1', port: 7000 }];
  const inFolder = (name: string, ...events: readonly string[]) => ({ ...at(name), folderId, events });
  const isBare = !fates.isPlanned && random.chance(0.2);
  const webhooks = await startWebhooks(
    machine,
    [
      ...['same', 'old', 'surplus', 'other', 'paused'].map((name) => inFolder(name, 'TaskCreated')),
      inFolder('surplus', 'TaskTitleChanged'),
      { ...inFolder('resumed', 'TaskCreated'), status: 'Suspended' },
    ],
    { connectTo, mode: isBare ? 'bare' : 'default' },
  );
  const before = await webhooks.list();
  if (isBare) {
    // As if this machine had created them: such a service does not show what they cover.
    const created = (hook: StoredWebhook) => ({ ...hook, at: '2026-01-02T03:04:05.000Z', signed: false });
    const all = Object.fromEntries(before.map((hook) => [hook.id, { created: created(hook) }]));
    disk.put(records, JSON.stringify({ format: 1, webhooks: all }));
  }
  const [same, old, kept, other] = before.map(({ id }) => id);
  const variable = { HOOK_SECRET: secret, WM_WEBHOOK_SECRET: secret };
  const isStored = !fates.isPlanned && random.chance(0.4);
  if (isStored) await webhooks.wm(['webhook', 'secret', old ?? '', '--store'], variable).ended;
  const entry = (name: string, event: string, settings: object) => ({
    ...{ url: at(name).hookUrl, scope: { folder: folderId }, events: [event], ...settings },
  });
  const entries = [
    entry('same', 'TaskCreated', { label: 'kept' }),
    entry('surplus', 'TaskCreated', {}),
    entry('new', 'TaskCreated', { status: 'Suspended', label: 'new' }),
    entry('paused', 'TaskCreated', { status: 'Suspended' }),
    entry('resumed', 'TaskCreated', { status: 'Active' }),
    // Last: if the receiver rejects its secret, something has been changed already.
    entry('old', 'TaskDeleted', { secret: isStored ? { stored: old } : { variable: 'HOOK_SECRET' } }),
  ];
  disk.put('/home/hooks.yaml', JSON.stringify({ version: 1, webhooks: entries }));
  const run = () => webhooks.wm(['webhook', 'apply', '/home/hooks.yaml', '--yes'], variable);
  // As in CI, where each run may be on another machine.
  const losesRecords = !fates.isPlanned && !isBare && random.chance(0.2);
  const harshRuns = fates.isPlanned ? 1 : random.below(5);
  let isTaken = false;
  let isUnlocked = false;
  for (let number = 1; ; number++) {
    hold(number <= mostRuns, 'It ends');
    if (losesRecords && disk.text(records) !== undefined) disk.remove(records);
    fates.isHarsh = number <= harshRuns;
    const runs = [run()];
    if (!fates.isPlanned && random.chance(0.3)) {
      await simulation.pass(random.next() * 300);
      runs.push(run());
    }
    const statuses = await Promise.all(runs.map(({ ended }) => ended));
    const listed = await webhooks.list();
    fates.isHarsh = false;
    await simulation.pass(90_000);
    for (const [index, one] of runs.entries()) {
      const about = `${statuses[index]} ${one.errors}`;
      const changes = webhooks.changesBy(one);
      hold(
        ![2, 3, 4, 5, 6, 7].includes(statuses[index] ?? 0) || changes === 0,
        `Nothing was changed: ${about}`,
      );
      hold(!/Nothing was changed/.test(one.errors) || changes === 0, `Nothing was changed: ${about}`);
      hold(!/canary/.test(one.output + one.errors), `No secret: ${about}`);
      for (const [, id] of one.errors.matchAll(/^Created: \S+ \((\w+)\)/gm))
        hold(runs.length > 1 || listed.some((webhook) => webhook.id === id), `It was created: ${about}`);
    }
    // A label that cannot be recorded is only a warning. A webhook that was deleted without a response keeps its own.
    isTaken = runs.some(({ errors }) => /does not get the label/.test(errors));
    // What a dead run has sent arrives beside the other one.
    isUnlocked ||= runs.length > 1 && statuses.includes(137);
    isUnlocked ||= runs.some(({ errors }) => /Cannot lock out/.test(errors));
    if (!statuses.some(Boolean) && !runs.some(({ errors }) => /Cannot record/.test(errors))) break;
    if (
      (isBare || losesRecords || isUnlocked) &&
      runs.some(({ errors }) => errors.includes('--replace-unknown'))
    )
      return;
    hold(number <= harshRuns, `A calm run ends well: ${statuses} ${runs.map(({ errors }) => errors)}`);
  }
  const after = await webhooks.list();
  const about = JSON.stringify(after);
  const found = (name: string) => after.filter(({ hookUrl }) => hookUrl === at(name).hookUrl);
  if (isUnlocked && ['old', 'new'].some((name) => found(name).length > 1)) return;
  for (const name of ['same', 'old', 'surplus', 'new', 'other', 'paused', 'resumed'])
    hold(found(name).length === 1, `There is one ${name}: ${about}`);
  for (const id of [same, kept, other])
    hold(
      after.some((webhook) => webhook.id === id),
      `${id} stays: ${about}`,
    );
  const [[replaced], [created]] = [found('old'), found('new')];
  hold(replaced?.events?.[0] === 'TaskDeleted' && replaced.secret === secret, `old is replaced: ${about}`);
  for (const name of ['new', 'paused'])
    hold(found(name)[0]?.status === 'Suspended', `${name} is suspended: ${about}`);
  hold(found('resumed')[0]?.status === 'Active', `resumed is active: ${about}`);
  const labels = [same, created?.id].map((id) => webhooks.local[id ?? '']?.label);
  hold(isTaken || String(labels) === 'kept,new', `The labels are recorded: ${labels}`);
  for (const all of webhooks.afterEachChange(before))
    for (const name of ['same', 'old', 'surplus', 'other'])
      hold(
        [...all.values()].some(({ hookUrl, status }) => hookUrl === at(name).hookUrl && status === 'Active'),
        `${name} always has an active webhook`,
      );
  const folder = '/home/.config/wm/webhook-secrets';
  const owners = disk.names(folder).map((name) => disk.text(`${folder}/${name}`) ?? '');
  hold(!isStored || owners.some((text) => text.includes(`"${old}"`)), `The stored secret stays: ${owners}`);
  const posts = network.exchanges.filter(({ method, path }) => method === 'POST' && path.startsWith('/api/'));
  hold(harshRuns > 0 || posts.length === 2, `Each is created once: ${posts.length}`);
  if (fates.isPlanned) return;
  const again = run();
  const status = await again.ended;
  hold(status === 0 && webhooks.changesBy(again) === 0, `The next run changes nothing: ${again.errors}`);
}
