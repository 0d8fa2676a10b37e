// `wm webhook rotate-secret`, run again until it ends well, or given up with --abort. It holds:
// - It ends with one webhook that has the new secret and the status of the old one, which is then suspended or deleted.
//   It delivers the same, and has the label of the old one, and of a suspended one the note.
// - There are never two successors, and never a moment at which neither webhook is active.
// - A generated secret is the one that the user has read, and no other output and no record has a secret.
// - The new secret is stored if that was asked for, and nothing else of the rotation is left, unless a warning names it.
// - After --abort the old webhook is as it was, and there is no successor.
// Not held: the name of a file survives a power cut if the sync of its folder failed (docs/decisions/whole-files.md);
// what an --abort that had no response has sent may arrive only after the next run has ended; and two runs that cannot lock may create two
// successors.

import { sign, verify } from '#contract/signature.ts';
import { hold } from './events.ts';
import type { Machine } from './machine.ts';
import { startWebhooks } from './webhooks.ts';

const hookUrl = 'http://127.0.0.1:7000/hook';
const [oldSecret, newSecret] = ['canary-old-secret', 'canary-new-secret'];
const events = ['TaskCreated'];
const mostRuns = 12;

export async function rotation(machine: Machine): Promise<void> {
  const { simulation, fates, disk, network } = machine;
  const { random } = simulation;
  // So that a request for a successor may arrive only during the next run.
  network.isSlow = true;
  /** The secrets that the receiver knows. */
  const knows = new Set([oldSecret, newSecret]);
  await network.serve(7000, ({ headers }, body) => {
    const secret = [...knows].find((one) => verify(one, body, String(headers['x-hook-signature'])));
    const isHandshake = secret !== undefined && body.includes('requestType');
    const proof = isHandshake ? { 'X-Hook-Secret': sign(secret, String(headers['x-hook-secret'])) } : {};
    return { status: secret ? 200 : 401, headers: proof, delayMs: random.next() * 50 };
  });
  const wasActive = fates.isPlanned || random.chance(0.8);
  const isBare = !fates.isPlanned && random.chance(0.3);
  const options = { allowLocalHooks: true, mode: isBare ? 'bare' : 'default' } as const;
  const webhooks = await startWebhooks(machine, [{ hookUrl, secret: oldSecret, events }], options);
  const [{ id: old } = { id: '' }] = await webhooks.list();
  await webhooks.wm(['webhook', 'label', old, 'billing']).ended;
  if (!wasActive) await webhooks.wm(['webhook', 'suspend', old, '--note', 'ticket 4711', '--yes']).ended;
  const before = await webhooks.list();
  disk.put('/home/secret', newSecret);
  const isGenerated = fates.isPlanned || random.chance(0.5);
  const isStored = !fates.isPlanned && random.chance(0.6);
  const isDeleted = !fates.isPlanned && random.chance(0.3);
  const checks = fates.isPlanned || random.chance(0.7) ? ['--no-verify'] : [];
  const words = [
    ...['webhook', 'rotate-secret', old, '--account', '--events', ...events, '--all-item-types'],
    ...(isGenerated ? ['--generate-secret'] : ['--secret-file', '/home/secret']),
    ...(isDeleted ? ['--old', 'delete'] : []),
    ...(isStored ? ['--store-secret'] : []),
  ];
  const read = new Set(isGenerated ? [] : [newSecret]);
  const harshRuns = fates.isPlanned ? 2 : 1 + random.below(5);
  const abortChance = random.one([0.1, 0.5]);
  let isAborted = false;
  let wasAborted = false;
  let mustAbort = false;
  let arrived = 0;
  let isWarned = false;
  let isUnlocked = false;
  for (let number = 1; ; number++) {
    hold(number <= mostRuns, 'It ends');
    fates.isHarsh = number <= harshRuns;
    const isPrepared = read.size === 0;
    // The last moment at which it can be given up is a rare one.
    const isRetired = wasActive && (await webhooks.list())[0]?.status === 'Suspended';
    const aborts = random.chance(isRetired ? 0.6 : number > harshRuns ? 0.2 : abortChance);
    isAborted = !fates.isPlanned && !isPrepared && (aborts || mustAbort);
    const flags = isPrepared ? ['--prepare'] : ['--yes', ...checks];
    const run = webhooks.wm(isAborted ? [...words.slice(0, 3), '--abort', '--yes'] : [...words, ...flags]);
    wasAborted ||= isAborted;
    // Beside --abort it would begin a rotation of its own.
    const hasTwin = !fates.isPlanned && !isPrepared && !isAborted && random.chance(0.1);
    const twin = hasTwin && webhooks.wm([...words, ...flags]);
    const status = await run.ended;
    if (twin) await twin.ended;
    for (const { output, errors } of twin ? [run, twin] : [run]) {
      for (const [secret] of output.matchAll(/^[\da-f]{64}$/gm)) {
        if (wasAborted) read.clear();
        read.add(secret);
        knows.add(secret);
      }
      hold(
        !/canary|[\da-f]{64}/.test(errors + output.replace(/^[\da-f]{64}$/gm, '')),
        `No secret: ${output}`,
      );
    }
    hold(read.size <= 1, `One secret is generated: ${read.size}`);
    arrived = network.exchanges.length;
    isWarned ||= /may still be stored/.test(run.errors);
    isUnlocked ||= twin !== false && /Cannot lock out/.test(run.errors + twin.errors);
    // Another run may come before what this one has sent.
    await simulation.pass(fates.isPlanned ? 1000 : random.next() * 30_000);
    if (status === 0 && !isPrepared) break;
    const isUnsynced = fates.struck.some(
      ({ step, blow }) => /fsync .*(?:wm|state|webhooks|secrets)$/.test(step.name) && /^E/.test(blow),
    );
    if (isUnsynced && fates.counts.powerCuts > 0) return;
    const isNoRotation: boolean = isAborted && (status === 2 || (isDeleted && status === 5));
    // An abort that failed may have removed the secret already.
    mustAbort ||= wasAborted && /generated secret is missing/.test(run.errors);
    mustAbort &&= !isNoRotation;
    // A dead run had given it up completely: this one would begin anew.
    if (wasAborted && isGenerated && /Get the secret first/.test(run.errors)) read.clear();
    const isNew = read.size === 0 || /^[\da-f]{64}$/m.test(run.output);
    const isBegunAnew = isPrepared ? status === 0 : wasAborted && isNew;
    hold(
      fates.isHarsh || number <= harshRuns + 1 || isNoRotation || isBegunAnew || mustAbort,
      `A calm run ends well: ${status} ${run.errors}`,
    );
  }
  fates.isHarsh = false;
  await simulation.pass(90_000);
  const late = network.exchanges.slice(arrived);
  if (isUnlocked || late.some(({ method, path }) => method !== 'GET' && path.startsWith('/api/'))) return;
  const after = await webhooks.list();
  const successors = after.filter(({ id }) => id !== old);
  const about = `${isAborted} ${JSON.stringify(after)}`;
  const isWhole = after.some(({ id, status }) => id === old && status === before[0]?.status);
  if (isAborted) hold(successors.length === 0 && isWhole, `It is given up: ${about}`);
  else {
    const [successor] = successors;
    hold(successors.length === 1, `There is one successor: ${about}`);
    hold(read.has(successor?.secret ?? ''), `It has the secret that the user has: ${about}`);
    hold(successor?.status === before[0]?.status, `It has the status of the old webhook: ${about}`);
    hold(String(successor?.events) === String(events), `It delivers the same: ${about}`);
    const { note } = webhooks.local[successor?.id ?? ''] ?? {};
    hold(wasActive || note?.text === 'ticket 4711', `It has the note of the old webhook: ${note?.text}`);
    const left = after.find(({ id }) => id === old);
    hold(isDeleted ? left === undefined : left?.status === 'Suspended', `The old one is retired: ${about}`);
  }
  if (wasActive)
    for (const all of webhooks.afterEachChange(before))
      hold(
        [...all.values()].some(({ status }) => status === 'Active'),
        'There is always an active webhook',
      );
  const folder = '/home/.config/wm/webhook-secrets';
  const stored = disk.names(folder).filter((name) => name.endsWith('.json'));
  const owners = stored.map((name) => JSON.parse(disk.text(`${folder}/${name}`) ?? '').webhookId);
  const expected = isStored ? successors.map(({ id }) => id) : [];
  hold(isWarned || String(owners) === String(expected), `Stored are the secrets of ${expected}: ${owners}`);
  const labelled = Object.entries(webhooks.local).filter(([, { label }]) => label === 'billing');
  const owner = isAborted ? old : successors[0]?.id;
  hold(String(labelled.map(([id]) => id)) === owner, `${owner} has the label: ${JSON.stringify(labelled)}`);
  const records = JSON.stringify(webhooks.local);
  hold(
    [...read, oldSecret].every((secret) => !records.includes(secret)),
    `A record has a secret: ${records}`,
  );
}
