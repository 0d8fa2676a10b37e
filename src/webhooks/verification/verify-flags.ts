// The flags and columns of every command that verifies a receiver.

import { isIP } from 'node:net';
import {
  booleanFlag,
  type Flag,
  integerFlag,
  lastOf,
  type ParsedFlags,
  toKebabCase,
} from '#cli/flags/flag.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { formatValue, ValidationError } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import type { Column } from '#terminal/table.ts';
import type { CheckResult } from './check-result.ts';
import type { VerifyOptions } from './receiver-target.ts';

/** The contract does not show how long the service waits for a response. */
const defaultSeconds = 10;

export const verifyFlags = {
  within: integerFlag(
    'SECONDS',
    `The longest time that a response may take (default: ${defaultSeconds})`,
    1,
    300,
  ),
  allowPrivate: booleanFlag('Also send to addresses that are not global, such as those of this machine'),
  connectTo: addressFlag(),
};

/** Rejects the flags of a verification together with --no-verify. */
export function assertNoVerifyFlags(flags: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(flags).filter((name) => flags[name] !== undefined);
  if (names.length > 0)
    throw usageError(
      `--no-verify cannot be combined with ${joinWithAnd(names.map((name) => `--${toKebabCase(name)}`))}`,
      'Give one of them.',
    );
}

function addressFlag(): Flag<{ readonly host: string; readonly port: number }> {
  return {
    help: "Connect to this address instead of the URL's",
    placeholder: 'ADDRESS:PORT',
    parse(texts) {
      const text = lastOf(texts);
      const [, address = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
      const host = address.replace(/^\[(.*)\]$/, '$1');
      if (isIP(host) === 0 || Number(port) < 1 || Number(port) > 65_535)
        throw new ValidationError(
          formatValue(text),
          'is not of the form ADDRESS:PORT, as in 127.0.0.1:8080 or [::1]:8080',
        );
      return { host, port: Number(port) };
    },
  };
}

export function toVerifyOptions({
  within = defaultSeconds,
  allowPrivate = false,
  connectTo,
}: ParsedFlags<typeof verifyFlags>): VerifyOptions {
  return { limitMs: within * 1000, allowPrivate, connectTo };
}

export const checkColumns: readonly Column<CheckResult>[] = [
  { title: 'check', cell: ({ check }) => check },
  {
    title: 'result',
    cell: ({ outcome }) => outcome,
    format: ({ outcome }, style) =>
      ({ ok: style.good, warning: style.notice, fail: style.bad, 'not-checked': style.notice })[outcome],
  },
  { title: 'ms', cell: ({ ms }) => (ms === undefined ? '' : String(ms)) },
  { title: 'why', cell: ({ why }) => why ?? '' },
  { title: 'fix', cell: ({ fix }) => fix ?? '' },
];
