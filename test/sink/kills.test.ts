// Kills of receivers, forwarders and NATS servers under load: 18, or as many as SINK_KILLS says. SINK_KILL_SEED repeats one order of them.

import assert from 'node:assert/strict';
import { test } from './bounded.ts';
import { killAround } from './kill-sink.ts';

const rounds = Number(process.env['SINK_KILLS'] ?? 18);
const limitMs = 60_000 + rounds * 10_000;

test(
  `${rounds} kills around a sink: nothing acknowledged is lost, each task keeps its order, and a kill repeats one delivery at most`,
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
    assert.ok(counts.repeats <= counts.forwarderKills, JSON.stringify(counts));
  },
  limitMs,
);
