// `wm contract asyncapi`: prints the deliveries of webhooks as an AsyncAPI document, for other programs.

import { command } from '#cli/command.ts';

export default command({
  changes: 'nothing',
  examples: {
    'Print the document': 'wm contract asyncapi > asyncapi.json',
    'Get the schema of an event': 'wm contract asyncapi --jq .components.schemas.TaskStatusChanged',
  },
  details: `Prints AsyncAPI 3.0.0 as JSON, generated from the definitions that wm itself uses: every event with its payload, the
headers, the handshake, and which responses count as a success. What the service's contract does not show is marked x-assumed,
with ids that \`wm emulator assumptions\` lists. A running emulator serves the same document at /asyncapi.json. The requests of
the service: wm contract openapi`,
  async run(_input, { report }) {
    const { createAsyncApi } = await import('#contract-document/asyncapi.ts');
    await report.json(createAsyncApi());
  },
});
