// A hundred kills of receivers, forwarders and NATS servers under load. SINK_KILL_SEED repeats one order of them.

import assert from 'node:assert/strict';
import { test } from './bounded.ts';
import { killAround } from './kill-sink.ts';

const rounds = 100;
const limitMs = 15 * 60_000;

test(
  '100 kills around a sink: nothing acknowledged is lost, and each task keeps its order',
  async () => {
    const seed = process.env['SINK_KILL_SEED'];
    const lines: string[] = [];
    const counts = await killAround(rounds, seed === undefined ? undefined : Number(seed), (line) =>
      lines.push(line),
    ).catch((error: unknown) => {
      process.stderr.write(`${lines.join('\n')}\n`);
      throw error;
    });
    process.stderr.write(`kills around a sink: ${JSON.stringify(counts)}\n`);
    assert.equal(counts.lost, 0);
    assert.equal(counts.outOfOrder, 0);
    assert.deepEqual(counts.unexplained, []);
    const each = Object.values(counts.kills);
    assert.equal(each.length, 9);
    assert.ok(
      each.every((kills) => kills === 11 || kills === 12),
      JSON.stringify(counts.kills),
    );
  },
  limitMs,
);
