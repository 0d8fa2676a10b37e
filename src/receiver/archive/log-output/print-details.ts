// Prints single deliveries in full: their summary, every attempt, headers and body. All of it is text from strangers.

import type { Context } from '#cli/context.ts';
import { reindentJson } from '#contract/json.ts';
import { formatLocalTime } from '#dates/local-time.ts';
import { Failure, usageError } from '#failure.ts';
import type { StoredDelivery } from '#receiver/core/intake/delivery-journal.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import type { Column } from '#terminal/table.ts';
import { type EntrySource, readStored } from '../deliveries/delivery-archive.ts';
import { deliveryColumns, deliveryPipeColumns, toDeliveryJson } from '../deliveries/delivery-columns.ts';
import { describeRequest } from '../deliveries/delivery-line.ts';
import type { Titles } from '../deliveries/delivery-summary.ts';
import { describeFailure, isUnfinished, type LoggedDelivery } from '../deliveries/logged-delivery.ts';

/** Longer JSON is not indented: 30 MB may hold ten million values, too many to build. */
const mostIndentedBytes = 256 * 1024;

export async function printDetails(
  { report, world }: Pick<Context, 'report' | 'world'>,
  deliveries: readonly LoggedDelivery[],
  titles: Pick<Titles, 'find'>,
  source: EntrySource,
  showBody: (sequence: number) => string,
): Promise<void> {
  for await (const { delivery, stored } of readShown(source, deliveries)) {
    if (report.wantsJson || !world.streams.output.isTerminal)
      await report.each({
        columns: deliveryPipeColumns(titles),
        records: [delivery],
        raw: [{ ...toDeliveryJson(delivery, titles), ...storedJson(stored) }],
      });
    else {
      await report.each({ columns: detailColumns(titles), records: [delivery], raw: [] });
      const lines = [...describeAttempts(delivery), formatRequest(stored, showBody)];
      await report.line(lines.join('\n'), { mayBeLong: true, isData: true });
    }
  }
}

/** Prints the body of one delivery as received, for a program. Makes it harmless for a terminal. */
export async function printBody(
  { report, world }: Context,
  source: EntrySource,
  [delivery, ...more]: readonly LoggedDelivery[],
) {
  if (delivery === undefined || more.length > 0)
    throw usageError('--body prints one delivery', 'Give a single number.');
  const { output } = world.streams;
  for await (const { stored } of readShown(source, [delivery])) {
    const { sequence, body } = stored;
    const text = output.isTerminal ? formatBody(body) : undefined;
    if (!output.isTerminal) await output.write(body);
    else if (text !== undefined) await report.line(text, { mayBeLong: true, isData: true });
    else
      throw new Failure('other', {
        message: `The body of #${sequence} is not text, but ${body.length} bytes`,
        hint: 'To store it in a file, add > FILE to the command.',
      });
  }
}

function detailColumns(titles: Pick<Titles, 'find'>): readonly Column<LoggedDelivery>[] {
  return [
    ...deliveryColumns(titles).filter(({ title }) => title !== 'outcome' && title !== 'ms'),
    { title: 'ids', cell: ({ ids }) => ids.join(', '), unbroken: 'words' },
    { title: 'key', cell: ({ idempotencyKey }) => idempotencyKey ?? '', unbroken: true },
    { title: 'bytes', cell: ({ bytes }) => String(bytes) },
  ];
}

function describeAttempts(delivery: LoggedDelivery): readonly string[] {
  const { attempts, replays } = delivery;
  const all = [
    ...attempts.map((attempt) => ({
      ...attempt,
      label: attempt.target === '' ? '' : `attempt ${attempt.attempt} at ${attempt.target}: `,
    })),
    ...replays.map((replay) => ({ ...replay, label: `replay to ${replay.target}: ` })),
  ];
  if (all.length === 0) return [];
  const lines = all
    .toSorted((a, b) => a.time - b.time)
    .map(
      ({ time, label, milliseconds, verdict, ...made }) =>
        `${formatLocalTime(time)}  ${label}${describeFailure(made)}, ${milliseconds} ms (${verdict})`,
    );
  const last = new Map(attempts.map((attempt) => [attempt.target, attempt])).values();
  const next = [...last].flatMap(({ time, delay, target }) =>
    delay === undefined || !isUnfinished(delivery)
      ? []
      : `${formatLocalTime(time + delay)}  next attempt at ${target}`,
  );
  return ['', 'Attempts:', ...[...lines, ...next].map((line) => `  ${sanitizeLine(line)}`)];
}

function formatRequest(stored: StoredDelivery, showBody: (sequence: number) => string): string {
  const { sequence, body } = stored;
  const isCut = body.length > mostIndentedBytes;
  const shown = isCut ? decodeText(body.subarray(0, mostIndentedBytes), true) : formatBody(body);
  const text = shown ?? `(${body.length} bytes that are not text)`;
  return ['', ...describeRequest(stored, [text], isCut ? showBody(sequence) : undefined)].join('\n');
}

/** Indents JSON unless it is long; returns other text unchanged, and `undefined` for binary data. */
function formatBody(body: Uint8Array): string | undefined {
  const text = decodeText(body);
  if (text === undefined || body.length > mostIndentedBytes) return text;
  return reindentJson(text) ?? text;
}

/** `stream`: more follows, so the last character may be incomplete. */
function decodeText(body: Uint8Array, stream = false): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body, { stream });
  } catch {
    return undefined;
  }
}

/** Gives the body as text if that restores the same bytes. */
function storedJson({ path, headers, body }: StoredDelivery): Readonly<Record<string, unknown>> {
  const text = decodeText(body);
  return {
    path,
    headers,
    ...(text === undefined ? { bodyBase64: Buffer.from(body).toString('base64') } : { body: text }),
  };
}

/** @throws {Failure} `not_found` at the end if one of them was dropped meanwhile. */
async function* readShown(source: EntrySource, deliveries: readonly LoggedDelivery[]) {
  const missing = new Set(deliveries);
  for await (const read of readStored(source, deliveries)) {
    missing.delete(read.delivery);
    yield read;
  }
  for (const { sequence } of missing)
    throw new Failure('not_found', {
      message: `Delivery #${sequence} was dropped from the journal meanwhile`,
      hint: 'The listener drops old deliveries; run the command again.',
    });
}
