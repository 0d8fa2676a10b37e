// `wm emulator snapshot`: prints the data of a running emulator as a seed file, with which another emulator can start.

import { command } from '#cli/command.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { list, number, object, optional, readLeniently, text } from '#contract/schema.ts';
import { sample } from '../state/sample-ids.ts';
import { controlFlags, sendControlRequest } from './control-request.ts';

export default command({
  sendsRequests: true,
  changes: 'nothing',
  examples: {
    'Store the data in a seed file': 'wm emulator snapshot > seed.yaml',
    'Check a seed file in an editor': 'wm emulator snapshot --schema > seed.schema.json',
    'The same as JSON': 'wm emulator snapshot --json > seed.json',
  },
  details: `Prints what \`wm emulator start --seed FILE\` starts with: users, folders, tasks, webhooks and the rest, in YAML (JSON with
--json). Dates and ids stay as they are. docs/emulator.md describes the format.

It has the secrets of webhooks and applications and the permanent tokens that were created; only an emulator accepts those. It has
no sign-ins, no contents of attachments, and nothing that is under way: deliveries, mails, faults, stubs.`,
  flags: {
    schema: booleanFlag('Print the JSON Schema of such a file instead; no emulator is needed'),
    ...controlFlags,
  },
  async run({ flags: { schema } }, context) {
    if (schema) {
      const { createSeedSchema } = await import('../seed/seed-json-schema.ts');
      await context.report.line(JSON.stringify(createSeedSchema(), null, 2));
      return;
    }
    const response = await sendControlRequest(context, 'GET /seed');
    if (response === undefined) return;
    const missing = countContents(response);
    if (missing > 0)
      await context.report.info(
        `The contents of ${missing === 1 ? 'an attachment are' : `${missing} attachments are`} not in it: downloads from the next emulator are 404.`,
      );
    // Without its secrets, the seed would start a different emulator.
    const report = context.report.withSecrets();
    if (report.wantsJson) await report.json(response);
    else {
      const { formatYamlValue } = await import('#cli/yaml-document.ts');
      const comment = "Data of wm's emulator. To start one with it: wm emulator start --seed FILE";
      await report.line(formatYamlValue(comment, response).trimEnd());
    }
  },
});

const file = object('file', { id: text('id'), size: optional(number('bytes')) });
const itemList = list(object('task or folder', { attachments: optional(list(file)) }));
const seedFiles = object('seed', { tasks: optional(itemList), folders: optional(itemList) });

/** The number of attachments with contents, without the sample's, which every emulator has. */
function countContents(seed: unknown): number {
  const { tasks = [], folders = [] } = readLeniently(seedFiles, seed);
  return [...tasks, ...folders]
    .flatMap(({ attachments = [] }) => attachments)
    .filter(({ id, size = 0 }) => size > 0 && id !== sample.attachment).length;
}
