// `wm emulator mass-action ID...`: the same update of many tasks in a running emulator, of which no webhook is told.

import { number, object, readLeniently } from '../../contract/schema.ts';
import { usageError } from '../../failure.ts';
import { command } from '../command.ts';
import { controlFlags, sendControlRequest } from './control-request.ts';
import { jsonObjectFlag } from './json-object-flag.ts';

const changed = object('mass action', { tasks: number('count') });
const example = '{"importance":"High"}';

export default command({
  sendsRequests: true,
  examples: [
    {
      description: 'Two tasks at once, as from the web workspace',
      command: `wm emulator mass-action IEAAAAAQKQAB5BNG IEAAAAAQKQAB5MIL --parameters '${example}'`,
    },
  ],
  details: `A mass action notifies no webhook. The parameters are those of the service's task update, with its names.`,
  arguments: { id: { help: 'the ids of the tasks', many: true } },
  flags: {
    parameters: jsonObjectFlag('--parameters', 'What is to change', example),
    ...controlFlags,
  },
  async run({ arguments: { id: taskIds }, flags: { url, parameters } }, context) {
    if (parameters === undefined)
      throw usageError('Missing: --parameters', `As in: --parameters '${example}'`);
    const answer = await sendControlRequest(context, url, {
      method: 'POST',
      path: '/mass-actions',
      body: { taskIds, parameters },
    });
    if (answer === undefined) return;
    const { tasks } = readLeniently(changed, answer);
    if (context.report.wantsJson) await context.report.json(answer);
    else await context.report.info(`Changed, without telling any webhook: ${tasks}`);
  },
});
