// Kills of receivers, forwarders and NATS servers under load: 18, or as many as SINK_KILLS says. SINK_KILL_SEED repeats one order of them.

import assert from 'node:assert/strict';
import { test } from './bounded.ts';
import { killAround, partitions } from './kill-sink.ts';

const rounds = Number(process.env['SINK_KILLS'] ?? 18);
const manyRounds = 100;
const limitMs = 60_000 + rounds * 10_000;

test(
  `${rounds} kills around a sink: nothing acknowledged is lost, each task keeps its order, and a repetition says so`,
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
    const each = Object.values(counts.kills);
    assert.equal(each.length, 9);
    assert.ok(Math.max(...each) - Math.min(...each) <= 1, JSON.stringify(counts.kills));
    assert.equal(counts.unmarked, 0);
    // A kill of a forwarder, or of the server that leads a consumer, repeats at most what was on its way: one for each partition.
    const repeating = rounds - (counts.kills['receiver 0'] ?? 0) - (counts.kills['receiver 1'] ?? 0);
    assert.ok(counts.repeats <= repeating * partitions, JSON.stringify(counts));
    // That it is less than one for each forwarder takes many rounds to see.
    if (rounds >= manyRounds) assert.ok(counts.repeats <= counts.forwarderKills, JSON.stringify(counts));
  },
  limitMs,
);
