// `wm emulator clock`: shows, stops and advances the clock of a running emulator.

import { command } from '#cli/command.ts';
import { durationFlag } from '#cli/flags/duration-flag.ts';
import { booleanFlag, valueFlag } from '#cli/flags/flag.ts';
import { timestampSchema } from '#contract/date.ts';
import { boolean, object, readLeniently } from '#contract/schema.ts';
import { omitUndefined } from '#omit-undefined.ts';
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
  async run({ flags: { url, advance, freeze, at, resume } }, context) {
    const body = {
      ...(freeze === true || at !== undefined ? { freeze: true } : {}),
      ...omitUndefined({ at }),
      ...(advance === undefined ? {} : { advanceSeconds: advance / 1_000 }),
      ...(resume === true ? { resume: true } : {}),
    };
    const changes = Object.keys(body).length > 0;
    const response = await (changes
      ? sendControlRequest(context, url, 'POST /clock', body, advance !== undefined)
      : sendControlRequest(context, url, 'GET /clock'));
    if (response === undefined) return;
    const records = [readLeniently(clock, response)];
    await context.report.one({
      columns: [
        { title: 'now', cell: ({ now }) => now },
        { title: 'runs', cell: ({ frozen }) => (frozen ? 'frozen' : 'running') },
      ],
      records,
      raw: [response],
    });
  },
});
