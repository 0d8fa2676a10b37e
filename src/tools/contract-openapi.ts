// `wm contract openapi`: prints the service's contract as an OpenAPI document, for other programs.

import { command } from '#cli/command.ts';

export default command({
  changes: 'nothing',
  examples: {
    'Print the document': 'wm contract openapi > openapi.json',
    'List the operations': "wm contract openapi --jq '.paths | keys[]'",
    'Generate types for TypeScript': 'npx openapi-typescript openapi.json -o service.d.ts',
  },
  details: `Prints OpenAPI 3.0.1 as JSON, generated from the definitions that wm itself uses: operations, parameters, limits, patterns,
errors and scopes. What the service's contract does not show is marked x-assumed, with ids that \`wm emulator assumptions\` lists.
A running emulator serves the same document, with its own addresses, at /openapi.json. The events of webhooks: wm contract asyncapi`,
  async run(_input, { report }) {
    const { createOpenApi } = await import('#contract-document/openapi.ts');
    await report.json(createOpenApi());
  },
});
