// `wm emulator mass-action ID...`: updates many tasks in a running emulator alike, without events.

import { command } from '#cli/command.ts';
import { countOf } from '#cli/count-of.ts';
import { number, object, readLeniently } from '#contract/schema.ts';
import { controlFlags, reportDone, sendControlRequest } from './control-request.ts';
import { jsonObjectFlag } from './json-flags.ts';

const example = '{"importance":"High"}';

export default command({
  sendsRequests: true,
  changes: 'the emulator',
  examples: {
    'Update two tasks at once, as the web workspace does': `wm emulator mass-action IEAAAAAQKQAB5BNG IEAAAAAQKQAB5MIL --parameters '${example}'`,
  },
  details: `A mass action notifies no webhook. Its parameters are those of the service's task update, under the service's names.`,
  arguments: { id: { help: 'the id of a task', many: true, completes: 'task' } },
  flags: {
    parameters: {
      ...jsonObjectFlag('--parameters', 'The changes', example),
      required: `For example: --parameters '${example}'`,
    },
    ...controlFlags,
  },
  async run({ arguments: { id: taskIds }, flags: { parameters } }, context) {
    const response = await sendControlRequest(context, 'POST /mass-actions', { taskIds, parameters });
    if (response === undefined) return;
    const { tasks } = readLeniently(object('mass action', { tasks: number('count') }), response);
    await reportDone(context, response, `Updated ${countOf(tasks, 'task')} without notifying webhooks.`);
  },
});
