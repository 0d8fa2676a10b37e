// `wm emulator reset`: restores the sample data and the real time in a running emulator.

import { command } from '#cli/command.ts';
import { controlFlags, reportDone, sendControlRequest } from './control-request.ts';

export default command({
  sendsRequests: true,
  changes: 'the emulator',
  examples: { 'Before each test': 'wm emulator reset' },
  details: `Removes the tokens that the emulator has issued, and restores the permanent tokens of the sample. The clock runs again
and shows the real time.`,
  flags: controlFlags,
  async run(_input, context) {
    const response = await sendControlRequest(context, 'POST /reset', {});
    await reportDone(context, response, 'Restored the sample data and the clock.');
  },
});
