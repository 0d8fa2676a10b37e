// What was acknowledged survives a kill and a power cut at any change of the disk: in order, once, and what was finished stays
// finished.

import { test } from 'node:test';
import { tryPowerCuts } from './power-cuts.ts';

test('random receivers are killed, or lose power, at any step', async (context) => {
  const { runs, cuts, kills, acknowledged, finished, segments } = await tryPowerCuts(300);
  context.diagnostic(
    `${runs} runs, ${cuts} power cuts, ${kills} kills, ${segments} segments: 0 of ${acknowledged} acknowledged deliveries lost, 0 of ${finished} finished ones forwarded again`,
  );
});
