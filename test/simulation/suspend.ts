// `wm webhook suspend`, while other people suspend and resume the same webhook. It holds:
// - Who reads that a webhook is suspended: the service said so last, when it was read back.
// - Who reads that nothing was changed: no change took effect.
// - A change that took effect is named, as done or as unknown.

import { hold } from './events.ts';
import type { Machine } from './machine.ts';
import { at, startWebhooks } from './webhooks.ts';

export async function suspend(machine: Machine): Promise<void> {
  const { simulation, fates, network } = machine;
  const { random } = simulation;
  const webhooks = await startWebhooks(machine, ['billing', 'search', 'audit'].map(at));
  const ids = (await webhooks.list()).map(({ id }) => id);
  for (let round = 0; round < (fates.isPlanned ? 1 : 3); round++) {
    const id = ids[random.below(ids.length)] ?? '';
    fates.isHarsh = true;
    const run = webhooks.wm(['webhook', 'suspend', id, '--yes']);
    const others: Promise<number>[] = [];
    for (let left = random.below(3); left > 0; left--) {
      await simulation.pass(random.next() * 150);
      const other = webhooks.wm(['webhook', random.one(['resume', 'suspend']), id, '--yes']);
      others.push(other.ended);
    }
    const status = await run.ended;
    const mine = network.exchanges.filter(({ from }) => from === run.process.name);
    const reads = mine.filter(({ method, status: read }) => method === 'GET' && read === 200);
    const tookEffect = mine.some(({ method, status: changed }) => method === 'PUT' && changed === 200);
    const says = (words: RegExp) => words.test(run.errors);
    const about = `${status} ${run.errors}`;
    if (status === 0) {
      hold(says(/Suspended: |already Suspended/), `It says what it did: ${about}`);
      hold(statusIn(reads.at(-1)?.response, id) === 'Suspended', `The last read said Suspended: ${about}`);
    } else if (status !== 137) {
      if (says(/Nothing was changed|(was|were) not suspended/))
        hold(!tookEffect, `Nothing was changed: ${about}`);
      if (tookEffect)
        hold(
          says(/unknown|may yet|undone|could not be read back|responded that it is/),
          `It names its change: ${about}`,
        );
    }
    await Promise.all(others);
    fates.isHarsh = false;
    // Requests that are still on their way.
    await simulation.pass(90_000);
    await webhooks.wm(['webhook', 'resume', id, '--yes']).ended;
  }
}

function statusIn(response: string | undefined, id: string): string | undefined {
  const { data }: { data: readonly { id: string; status: string }[] } = JSON.parse(response ?? '{"data":[]}');
  return data.find((webhook) => webhook.id === id)?.status;
}
