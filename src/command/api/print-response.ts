// Prints a response of `wm api`: JSON indented on a terminal and as it came in a pipe; other bytes only where they harm no
// terminal.

import { parseJsonObject } from '../../client/response.ts';
import { Failure } from '../../failure.ts';
import type { HttpResponse } from '../../world/world.ts';
import type { Context } from '../context.ts';
import { writeBytes } from '../write-bytes.ts';

/** Headers whose value may be a secret. */
const secretHeader = /cookie|auth|token|secret|key/;

export async function printHead({ report }: Context, { status, headers }: HttpResponse): Promise<void> {
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name}: ${secretHeader.test(name) ? '[redacted]' : value}`,
  );
  await report.line([`HTTP ${status}`, ...lines, ''].join('\n'));
}

export async function printBody({ report, world }: Context, response: HttpResponse): Promise<void> {
  if (response.body.length === 0) return;
  const { output } = world.streams;
  const value = parseJsonObject(response, { exactNumbers: true });
  if (value !== undefined) {
    const text = new TextDecoder().decode(response.body).replace(/\n$/, '');
    // By member where something has to be redacted.
    const isWhole = world.secrets.redactCredentials(text) === text;
    if (output.isTerminal || report.wantsJson || !isWhole) return report.json(value);
    return report.line(text, { isData: true });
  }
  const type = response.headers['content-type'] ?? 'of no type';
  const what = `The response is not JSON, but ${response.body.length} bytes (${type})`;
  if (report.wantsJson) throw new Failure('bad_response', { message: what, hint: 'Run it without --json.' });
  if (output.isTerminal)
    throw new Failure('bad_response', { message: what, hint: 'Add > FILE to the command to store it.' });
  await writeBytes(output, response.body);
}
