// `wm emulator clock`: reads, stops and moves the clock of a running emulator; what falls due on the way happens.

import { timestampSchema } from '../../contract/date.ts';
import { boolean, object, readLeniently } from '../../contract/schema.ts';
import { command } from '../command.ts';
import { toggle, value } from '../flag.ts';
import { controlCall, controlFlags } from './control-call.ts';
import { span } from './span.ts';

const clock = object('clock', { now: timestampSchema, frozen: boolean });

export default command({
  showsRequests: true,
  examples: [
    {
      does: 'Five minutes on: retries, expiry and the late event happen',
      line: 'wm emulator clock --advance 5m',
    },
    { does: 'Stop it at a moment', line: 'wm emulator clock --freeze --at 2026-05-01T00:00:00Z' },
    { does: 'Let it run again', line: 'wm emulator clock --resume' },
  ],
  arguments: {},
  flags: {
    advance: span('Move the clock forward by this much'),
    freeze: toggle('Stop the clock'),
    at: value(timestampSchema, 'TIME', 'When to stop it (default: now)'),
    resume: toggle('Let the clock run again'),
    ...controlFlags,
  },
  async run({ flags: { url, advance, freeze, at, resume } }, context) {
    const body = {
      ...(freeze === true || at !== undefined ? { freeze: true } : {}),
      ...(at === undefined ? {} : { at }),
      ...(advance === undefined ? {} : { advanceSeconds: advance / 1_000 }),
      ...(resume === true ? { resume: true } : {}),
    };
    const moves = Object.keys(body).length > 0;
    const answer = await controlCall(context, url, {
      method: moves ? 'POST' : 'GET',
      path: '/clock',
      ...(moves ? { body } : {}),
    });
    if (answer === undefined) return;
    const records = [readLeniently(clock, answer)];
    await context.report.one({
      columns: [
        { title: 'now', cell: (one) => one.now },
        { title: 'runs', cell: (one) => (one.frozen ? 'frozen' : 'running') },
      ],
      records,
      raw: [answer],
    });
  },
});
