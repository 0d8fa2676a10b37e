// `wm webhook trigger EVENT --to URL`: sends a signed sample of any event to a receiver, as the service would.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { parseEventName } from '#cli/event-name.ts';
import { booleanFlag, type Flag, integerFlag, parseText, textFlag } from '#cli/flags/flag.ts';
import { timestampSchema } from '#contract/date.ts';
import {
  classifyDeliveryResponse,
  type DeliveryVerdict,
  deliveryHeaders,
  rejectionHeader,
} from '#contract/delivery.ts';
import { type EventName, events } from '#contract/event.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { quoteUrl } from '#contract/hook-url.ts';
import { identifier } from '#contract/identifier.ts';
import { exampleIds, payloadField } from '#contract/payload.ts';
import { formatValue, replaceError, type Schema, ValidationError, withPath } from '#contract/schema.ts';
import { sign } from '#contract/signature.ts';
import { commandHint, Failure, usageError } from '#failure.ts';
import { randomUuid } from '#random-values.ts';
import type { Column } from '#terminal/table.ts';
import { chooseOneWebhook } from './matching/choose.ts';
import { isSameUrl, readHook } from './records/hook.ts';
import { findSecret, type SecretFlags, type SecretQuery, secretFlags } from './secrets/find-secret.ts';
import { findRunningReceiver, type RunningReceiver } from './secrets/running-receiver.ts';
import type { Problem } from './verification/check-result.ts';
import { createReceiver, headerOf, type Reply } from './verification/receiver-exchange.ts';
import { problemOf } from './verification/response-meaning.ts';
import { sampleEvent } from './verification/sample-delivery.ts';

interface Triggered {
  readonly event: string;
  readonly idempotencyKey: string;
  readonly result: string;
  readonly milliseconds: number;
  readonly verdict: DeliveryVerdict;
  readonly detail: string;
}

const pipeColumns: readonly Column<Triggered>[] = [
  { title: 'event', cell: ({ event }) => event, unbroken: true },
  { title: 'response', cell: ({ result }) => result },
  { title: 'ms', cell: ({ milliseconds }) => String(milliseconds) },
  {
    title: 'verdict',
    cell: ({ verdict }) => verdict,
    format: ({ verdict }, style) => (verdict === 'delivered' ? style.good : style.bad),
  },
  { title: 'key', cell: ({ idempotencyKey }) => idempotencyKey },
];

const maxCount = 1000;

type FieldText = readonly [name: string, text: string];

const setFlag: Flag<readonly FieldText[]> = {
  help: 'Set a payload field; an object or a list as JSON',
  placeholder: 'KEY=VALUE',
  repeats: true,
  parse(texts) {
    const pairs = texts.map((text): FieldText => {
      const index = text.indexOf('=');
      if (index < 1) throw new ValidationError(formatValue(text), 'is not of the form KEY=VALUE');
      return [text.slice(0, index), text.slice(index + 1)];
    });
    const names = pairs.map(([name]) => name);
    const duplicate = names.find((name, index) => names.indexOf(name) !== index);
    if (duplicate !== undefined) throw new ValidationError(formatValue(duplicate), 'is set twice');
    return pairs;
  },
};

export default command({
  changes: 'a receiver',
  examples: {
    'Try a receiver on this machine':
      'WM_WEBHOOK_SECRET=... wm webhook trigger TaskCreated --to http://localhost:3000/hook',
    'Send a comment with your own task to the receiver of a webhook':
      'wm webhook trigger CommentAdded --to IEAAAAAQJAAAAAAB --set taskId=IEAAAAAQKQAB5BNG',
    'Check that a duplicate is handled once':
      'wm webhook trigger TaskStatusChanged --to http://localhost:3000/hook --unsigned --duplicate',
  },
  details: `Sends to the receiver directly: the service is not involved, and nothing changes there. The payload has the fields of the
contract, with ids that name nothing; --set changes a field, which must have the type of the field. \`wm webhook events\` lists
the events with their fields.

The secret comes from --secret-file, --secret-stdin, WM_WEBHOOK_SECRET or the store (wm webhook secret); otherwise, on a terminal, wm
asks for it. Without one the sample is not signed. If \`wm webhook listen\` runs at a URL of this machine, the secret that it
generated is found without a flag.

The exit status is 10 if the service would not count a response as delivered: it accepts 200, 201, 202 and 204. That it
retries after another 2xx, a redirect or a late response is an assumption. --timeout limits the wait for a response.`,
  pipeColumns,
  arguments: { event: { help: 'the name of the event', completes: 'event' } },
  flags: {
    to: {
      ...textFlag('URL', 'The receiver: a URL, or the id or label of a webhook', 'webhook'),
      required: 'Give the URL of the receiver, or the id or label of a webhook.',
    },
    set: setFlag,
    count: integerFlag('N', 'Send this many events, each with its own key (default: 1)', 1, maxCount),
    duplicate: booleanFlag('Send each twice, with the same Idempotency-Key'),
    singleObject: booleanFlag('Send an object in place of an array of one'),
    unsigned: booleanFlag('Send without a signature'),
    ...secretFlags,
  },
  async run({ arguments: { event: name }, flags }, context) {
    const { timeoutMs } = context;
    const { to, set = [], count = 1, duplicate, singleObject, unsigned, ...sources } = flags;
    const event = parseEventName(name);
    const fields = replaceError(
      ValidationError,
      () => parseFields(event, set),
      ({ message }) => usageError(`--set ${message}`, commandHint('See: ', 'wm webhook events')),
    );
    const target = await resolveTarget(context, to);
    const receiver = await findRunningReceiver(context.world, target.url);
    const secret = await secretFor(context, sources, unsigned === true, { ...target, receiver });
    const replies: Reply[] = [];
    const results: Triggered[] = [];
    for (let sent = 0; sent < count; sent++) {
      const payload = createPayload(event, target.webhookId, context.world.clock.now(), fields);
      const body = JSON.stringify(singleObject ? payload : [payload]);
      const idempotencyKey = randomUuid(context.world);
      const headers = {
        'User-Agent': 'wm',
        [deliveryHeaders.idempotencyKey]: idempotencyKey,
        ...(secret === undefined ? {} : { [deliveryHeaders.signature]: sign(secret, body) }),
      };
      const { send } = createReceiver(context.world, { url: target.url, secret, timeoutMs });
      for (let copy = 0; copy < (duplicate ? 2 : 1); copy++) {
        const reply = await send(body, headers);
        replies.push(reply);
        results.push({ event, idempotencyKey, ...toTriggered(reply) });
      }
    }
    await context.report.asMessages().each({ columns: pipeColumns, records: results, raw: results });
    const failure = failureOf(replies, receiver);
    if (failure) throw failure;
    await context.report.info('The service would count it as delivered.');
  },
});

/** @throws {ValidationError} for a field that the event does not have, or an invalid value. */
function parseFields(event: EventName, texts: readonly FieldText[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    texts.map(([name, text]) => {
      const schema = schemaOf(event, name);
      return [name, withPath(name, () => schema.validate(parseText(schema, text)))];
    }),
  );
}

function schemaOf(event: EventName, name: string): Schema<unknown> {
  const { idField } = events[event];
  if (name === 'webhookId') return identifier('WebhookId');
  if (name === 'eventAuthorId') return identifier('UserId');
  if (name === 'lastUpdatedDate') return timestampSchema;
  if (name === idField) return identifier(idField === 'folderId' ? 'FolderId' : 'TaskId');
  return payloadField(event, name);
}

function createPayload(
  event: EventName,
  webhookId: string | undefined,
  now: number,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { idField, subject } = events[event];
  const isFolder = subject === 'folder' || subject === 'project' || idField === 'parentTaskGroupId';
  const sampleId = isFolder ? exampleIds.folder : exampleIds.task;
  return { ...sampleEvent(event, { webhookId, sampleId }, now, 'A sample title'), ...fields };
}

/** Says what the service would do after the response. */
function toTriggered(reply: Reply): Omit<Triggered, 'event' | 'idempotencyKey'> {
  const { result, ms: milliseconds } = reply;
  const [text, verdict] =
    'fault' in result
      ? [result.fault, 'retry' as const]
      : [String(result.status), classifyDeliveryResponse(result.status)];
  const detail = problemOf(reply)?.why ?? `the receiver responded with ${text}`;
  return { result: text, milliseconds, verdict, detail };
}

async function secretFor(
  context: Context,
  sources: SecretFlags,
  isUnsigned: boolean,
  { webhookId, receiver }: Pick<SecretQuery, 'webhookId' | 'receiver'>,
): Promise<string | undefined> {
  if (isUnsigned) {
    if (sources.secretFile !== undefined || sources.secretStdin)
      throw usageError('--unsigned cannot be combined with a secret', 'Give one of them.');
    return undefined;
  }
  const question = 'Secret of the webhook (--unsigned sends without a signature)';
  const secret = await findSecret(context, { flags: sources, webhookId, receiver, question });
  if (!secret)
    await context.report.warn('No secret is known: the sample is not signed (--unsigned confirms that).');
  return secret?.text;
}

/** Explains the worst response. */
function failureOf(replies: readonly Reply[], receiver: RunningReceiver | undefined): Failure | undefined {
  const problems = replies.flatMap((reply) => {
    const problem = problemOf(reply);
    return problem ? [{ reply, ...problem }] : [];
  });
  const suspends = ({ status = 500 }: Problem) => classifyDeliveryResponse(status) === 'suspend';
  const worst = problems.find(suspends) ?? problems[0];
  if (worst === undefined) return undefined;
  const { why, fix, reply } = worst;
  const isSignature = ['bad-signature', 'no-signature'].includes(headerOf(reply, rejectionHeader) ?? '');
  const sources = isSignature && receiver && !receiver.own ? receiver.secrets : [];
  return new Failure('check_failed', {
    message:
      replies.length === 1
        ? 'Not delivered'
        : `${problems.length} of ${replies.length} samples were not delivered`,
    why,
    hint:
      sources.length > 0
        ? `The receiver has its secret from ${joinWithAnd(sources)}. Give the same one: --secret-file FILE, or WM_WEBHOOK_SECRET`
        : fix,
  });
}

/** A URL is not looked up at the service. The stored secret of the webhook, if one is known to have the URL, signs the sample. */
async function resolveTarget(context: Context, to: string) {
  if (/^https?:\/\//i.test(to)) return { url: parseUrl(to), webhookId: await findByUrl(context, to) };
  const webhookId = await chooseOneWebhook(context, to);
  const { hookUrl } = (await readHook(context, webhookId)).record;
  if (hookUrl !== undefined) return { url: parseUrl(hookUrl), webhookId };
  throw new Failure('not_found', {
    message: `The service shows no URL for webhook ${webhookId}`,
    hint: 'Give the URL instead: --to URL',
  });
}

function parseUrl(text: string): string {
  const isUsable = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (isUsable && new URL(text).username === '' && new URL(text).password === '') return text;
  throw usageError(
    `--to: ${quoteUrl(text)} is not a URL that a webhook can have`,
    'Give an http or https URL without credentials, or the id, label or URL of a webhook.',
  );
}

/** The only webhook that this machine created with the URL: the receiver has its secret. */
async function findByUrl(context: Context, url: string): Promise<string | undefined> {
  const local = await (await context.webhookRecords()).read();
  const ids = [...local].flatMap(([id, { created }]) => (isSameUrl(created?.hookUrl, url) ? [id] : []));
  return ids.length === 1 ? ids[0] : undefined;
}
