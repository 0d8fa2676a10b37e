// `wm webhook suspend` of one webhook or several, while other people suspend and resume the same ones. It holds:
// - Who reads that a webhook is suspended: the service said so last, when it was read back.
// - Who reads that a webhook was not changed: no change of it took effect, and none does later.
// - A change that took effect is named, as done or as unknown, and the history has it.
// - Without harm and without others, it suspends.

import { hold } from './events.ts';
import type { Machine } from './machine.ts';
import { at, startWebhooks } from './webhooks.ts';

const names = ['billing', 'search', 'audit', 'sales', 'support', 'archive'];

export async function suspend(machine: Machine): Promise<void> {
  const { simulation, fates, network } = machine;
  const { random } = simulation;
  network.isSlow = true;
  const webhooks = await startWebhooks(machine, names.map(at));
  const ids = (await webhooks.list()).map(({ id }) => id);
  const changesOf = (id: string) =>
    network.exchanges.filter(
      ({ method, path, status }) => method === 'PUT' && status === 200 && path.includes(id),
    );
  for (let round = 0; round < (fates.isPlanned ? 1 : 3); round++) {
    const some = ids.slice(fates.isPlanned ? -2 : -1 - random.below(ids.length));
    fates.isHarsh = true;
    const run = webhooks.wm(['webhook', 'suspend', ...some, '--yes']);
    const others: Promise<number>[] = [];
    for (let left = random.below(3); left > 0; left--) {
      await simulation.pass(random.next() * 150);
      const other = webhooks.wm([
        'webhook',
        random.one(['resume', 'suspend']),
        some[random.below(some.length)] ?? '',
        '--yes',
      ]);
      others.push(other.ended);
    }
    const status = await run.ended;
    await Promise.all(others);
    fates.isHarsh = false;
    // Requests that are still on their way.
    await simulation.pass(90_000);
    const reads = network.exchanges.filter(
      ({ from, method, status: read, isReceived }) =>
        from === run.process.name && method === 'GET' && read === 200 && isReceived,
    );
    const about = `${status} ${run.errors}`;
    const isCalm = fates.struck.length === 0 && others.length === 0;
    hold(status === 0 || !isCalm, `Without harm it suspends: ${about}`);
    for (const id of some) {
      // A line about several has a part for each.
      const parts = some.length === 1 ? [run.errors] : run.errors.split(/\n|; |, and /);
      const says = (words: RegExp) => parts.some((part) => part.includes(id) && words.test(part));
      const isSaid = says(/Suspended: |already Suspended/);
      const tookEffect = changesOf(id).some(({ from }) => from === run.process.name);
      hold(status !== 0 || isSaid, `It says what it did: ${about}`);
      // Not the list of all, which may be read later still.
      const own = reads.filter(({ path }) => path.includes(id));
      const last = own.map(({ response }) => statusIn(response, id)).findLast(Boolean);
      hold(!isSaid || last === 'Suspended', `The last read said Suspended: ${about}`);
      const isUndone = says(/undone|, not Suspended/);
      const isDenied =
        says(/Nothing was changed|changed nothing|not tried/) || (says(/not suspended/) && !isUndone);
      hold(!isDenied || !tookEffect, `${id} was not changed: ${about}`);
      const isNamed =
        isSaid || isUndone || says(/unknown|may yet|could not be read back|responded that it is/);
      hold(!tookEffect || isNamed || status === 137, `It names its change of ${id}: ${about}`);
      if (fates.counts.powerCuts + fates.counts.diskFaults > 0) continue;
      const begun = webhooks.history
        .split('\n')
        .filter((line) => line.includes('"webhook suspend"') && line.includes(`"ids":["${id}"]`));
      const senders = new Set(changesOf(id).map(({ from }) => from));
      const suspenders = [...senders].filter((name) => name.startsWith('wm webhook suspend'));
      hold(begun.length >= suspenders.length, `The history has each change of ${id}: ${begun}`);
    }
    await webhooks.wm(['webhook', 'resume', ...some, '--yes']).ended;
  }
}

function statusIn(response: string | undefined, id: string): string | undefined {
  const { data }: { data: readonly { id: string; status: string }[] } = JSON.parse(response ?? '{"data":[]}');
  return data.find((webhook) => webhook.id === id)?.status;
}
