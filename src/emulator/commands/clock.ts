// `wm emulator clock`: shows, stops and advances the clock of a running emulator.

import { command } from '#cli/command.ts';
import { durationFlag } from '#cli/flags/duration-flag.ts';
import { booleanFlag, valueFlag } from '#cli/flags/flag.ts';
import { timestampSchema } from '#contract/date.ts';
import { boolean, object, readLeniently } from '#contract/schema.ts';
import { controlFlags, sendControlRequest } from './control-request.ts';

const clock = object('clock', { now: timestampSchema, frozen: boolean });

export default command({
  sendsRequests: true,
  changes: 'the emulator',
  examples: {
    'Advance it by five minutes: retries, expiry and other due jobs run': 'wm emulator clock --advance 5m',
    'Stop it at a given time': 'wm emulator clock --freeze --at 2026-05-01T00:00:00Z',
    'Let it run again': 'wm emulator clock --resume',
  },
  flags: {
    advance: durationFlag('Move the clock forward by this much'),
    freeze: booleanFlag('Stop the clock'),
    at: valueFlag(timestampSchema, 'TIME', 'The time to stop it at (default: now)'),
    resume: booleanFlag('Let the clock run again'),
    ...controlFlags,
  },
  async run({ flags: { advance, freeze, at, resume } }, context) {
    const freezes = freeze || at !== undefined || undefined;
    const change = { freeze: freezes, at, advanceSeconds: advance && advance / 1_000, resume };
    const response = await (Object.values(change).every((member) => member === undefined)
      ? sendControlRequest(context, 'GET /clock')
      : sendControlRequest(context, 'POST /clock', change, advance !== undefined));
    if (response === undefined) return;
    await context.report.one({
      columns: [
        { title: 'now', cell: ({ now }) => now },
        { title: 'runs', cell: ({ frozen }) => (frozen ? 'frozen' : 'running') },
      ],
      records: [readLeniently(clock, response)],
      raw: [response],
    });
  },
});
