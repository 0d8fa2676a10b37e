// Claims of several forwarders at the same time on real servers, of which NATS 2.9 stores more than one: see docs/decisions/sink.md.

import assert from 'node:assert/strict';
import { createClaims } from '../../src/receiver/sink/sink-claims.ts';
import { createNats } from '../../src/world/nats.ts';
import { createTestClock } from '../clock.ts';
import { test } from './bounded.ts';
import { connectTo } from './nats-client.ts';
import { startTrial } from './trial.ts';

const deliveries = 100;

test('of three forwarders that claim a delivery at the same time, one gets it', async (t) => {
  const trial = await startTrial(t);
  const clock = createTestClock();
  const connections = await Promise.all(
    trial.cluster.nodes.map(({ address, name }) =>
      createNats().connect({ servers: [address], name, timeoutMs: 30_000 }),
    ),
  );
  const claims = connections.map((nats, at) => {
    if ('fault' in nats) return assert.fail(nats.detail);
    t.after(() => nats.close());
    return createClaims({
      nats,
      clock,
      stream: 'TRIAL',
      holder: `forwarder ${at}`,
      holdMs: 10_000,
      unchangedMs: 5_000,
    });
  });
  for (let sequence = 1; sequence <= deliveries; sequence++) {
    const delivery = { sequence, time: sequence };
    // Each knows the record that counts, so that all of them write after the same one.
    await Promise.all(claims.map((one) => one.last('0123456789ab-0', true)));
    const results = await Promise.all(claims.map((one) => one.claim('0123456789ab-0', delivery)));
    const said = results.map((result) => ('kind' in result ? result.kind : result.detail));
    assert.deepEqual(said.toSorted(), ['claimed', 'taken', 'taken'], `delivery ${sequence}`);
    const [claim] = results.flatMap((result) => ('claim' in result ? [result.claim] : []));
    assert.equal(await claim?.record('forwarded', 1), 'recorded');
  }
  const { manager } = await connectTo(t, trial.cluster.addresses);
  const { state } = await manager.streams.info('TRIAL-progress');
  t.diagnostic(`${deliveries} deliveries, ${state.last_seq} records, of which ${deliveries * 2} count`);
});
