// `wm webhook create`: for the account, a folder or project, or a space.

import type { Answer } from '../../client/answer.ts';
import { type EventName, eventNames } from '../../contract/event.ts';
import { checkHookUrl } from '../../contract/hook-url.ts';
import { identifier } from '../../contract/identifier.ts';
import { operations } from '../../contract/operation.ts';
import { Refused, shown, type Value } from '../../contract/value.ts';
import {
  checkWebhookCreate,
  type Webhook,
  type WebhookCreate,
  webhookCreateParameters,
} from '../../contract/webhook.ts';
import { Failure, usage } from '../../failure.ts';
import { knownBaseUrl } from '../../login/account.ts';
import { isLoopbackHost } from '../../login/host.ts';
import { command } from '../command.ts';
import type { Context } from '../context.ts';
import { readInput } from '../file-value.ts';
import { list, toggle, value } from '../flag.ts';
import { send } from '../send.ts';
import { webhookColumns } from './columns.ts';
import { onlyThisApplication } from './list.ts';

const { customItemTypes, events, hookUrl, parameterisedEvents, recursive } = webhookCreateParameters;

export default command({
  showsRequests: true,
  examples: [
    { does: 'Every event of the account', line: 'wm webhook create https://example.com/hook' },
    {
      does: 'Some events of a folder and what is below it, signed',
      line: 'WM_WEBHOOK_SECRET=... wm webhook create https://example.com/hook --folder IEAAAAAQI4AB5FLD --recursive --events TaskStatusChanged,TaskCreated',
    },
    {
      does: 'Only when a certain custom field changes, with the title in the payload',
      line: `wm webhook create https://example.com/hook --parameterised-events '[{"event":"TaskCustomFieldChanged","customFields":["IEAAAAAQJUAB5NUM"],"fields":["title"]}]'`,
    },
  ],
  details: `The secret that signs deliveries comes from WM_WEBHOOK_SECRET or, with --secret-stdin, from standard input.
With a secret, the service checks that the URL answers its handshake, so the receiver must be running.`,
  columns: webhookColumns,
  arguments: { url: { help: 'where deliveries go', optional: true } },
  flags: {
    hookUrl: value(hookUrl.value, 'URL', `${hookUrl.meaning}: the same as the argument`),
    folder: value(identifier('FolderId'), 'ID', 'In this folder or project only'),
    space: value(identifier('FolderId'), 'ID', 'In this space only'),
    recursive: toggle(`${recursive.meaning}; with --folder or --space`, { negatable: true }),
    events: list(knownEvents(), 'EVENT', `${events.meaning}; see wm webhook events`),
    parameterisedEvents: {
      ...value(parameterisedEvents.value, 'JSON', parameterisedEvents.meaning),
      mayBeFile: true,
    },
    customItemTypes: list(customItemTypes.value, 'ID', customItemTypes.meaning),
    secretStdin: toggle('Read the secret from standard input'),
  },
  async run({ arguments: { url }, flags }, context) {
    const target = urlOf(url, flags.hookUrl);
    if (flags.folder !== undefined && flags.space !== undefined) {
      throw usage(
        '--folder and --space exclude each other',
        'A webhook is for one folder, one space, or the account.',
      );
    }
    const inPlace = flags.folder ?? flags.space;
    if (flags.recursive !== undefined && inPlace === undefined) {
      throw usage(
        '--recursive needs --folder or --space',
        'A webhook of the account covers everything already.',
      );
    }
    const secret = await readSecret(context, flags.secretStdin === true);
    const create: WebhookCreate = {
      hookUrl: target,
      ...(secret === undefined ? {} : { secret }),
      ...(flags.events === undefined ? {} : { events: flags.events }),
      ...(flags.recursive === undefined ? {} : { recursive: flags.recursive }),
      ...(flags.parameterisedEvents === undefined ? {} : { parameterisedEvents: flags.parameterisedEvents }),
      ...(flags.customItemTypes === undefined ? {} : { customItemTypes: flags.customItemTypes }),
    };
    try {
      checkWebhookCreate(create);
    } catch (error) {
      if (error instanceof Refused) throw usage(`--events and --parameterised-events: ${error.message}`);
      throw error;
    }
    await checkUrl(context, target);
    if (secret === undefined) await context.report.say('Without a secret: deliveries will not be signed.');

    const answer = await submit(context, flags.folder, flags.space, create).catch((error: unknown) =>
      lookFor(context, error, create, flags.folder),
    );
    if (!answer) return;
    await context.report.one({ columns: webhookColumns, records: answer.records, raw: answer.raw });
  },
});

/** A wrong name is told without reciting all that would be right. */
function knownEvents(): Value<readonly EventName[]> {
  const names: readonly unknown[] = eventNames;
  return {
    ...events.value,
    check(input) {
      const wrong = Array.isArray(input) ? input.find((one) => !names.includes(one)) : undefined;
      if (wrong === undefined) return events.value.check(input);
      const like = eventNames.filter((name) => name.toLowerCase().includes(String(wrong).toLowerCase()));
      const hint =
        like.length > 0 && like.length < 6 ? `Did you mean ${like.join(' or ')}?` : 'See wm webhook events.';
      throw usage(`--events: ${shown(wrong)} is not the name of an event`, hint);
    },
  };
}

function urlOf(argument: string | undefined, flag: string | undefined): string {
  if (argument !== undefined && flag !== undefined && argument !== flag) {
    throw usage('Two different URLs', 'Give the URL once: wm webhook create URL');
  }
  const url = argument ?? flag;
  if (url === undefined)
    throw usage('Missing: URL', 'Where deliveries go: wm webhook create URL (or --hook-url URL)');
  return url;
}

/** By the contract's rule, except against a service on this machine, which may have been told to allow more. */
async function checkUrl(context: Context, url: string): Promise<void> {
  try {
    checkHookUrl(url);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const base = await knownBaseUrl(context.world, context.account);
    if (base !== undefined && isLoopbackHost(new URL(base).host)) {
      await context.report.say(`The hookUrl ${error.message}; the emulator may still accept it.`);
      return;
    }
    throw usage(
      `hookUrl: ${error.message}`,
      'It must be an http or https URL of the public network, on port 80 or 443.',
    );
  }
}

async function readSecret({ world }: Context, fromInput: boolean): Promise<string | undefined> {
  if (!fromInput) return world.environment['WM_WEBHOOK_SECRET'];
  const text = new TextDecoder()
    .decode(await readInput(world, 64 * 1024, '--secret-stdin'))
    .replace(/\r?\n$/, '');
  if (text === '') throw usage('--secret-stdin: standard input is empty');
  return text;
}

function submit(
  context: Context,
  folderId: string | undefined,
  spaceId: string | undefined,
  create: WebhookCreate,
): Promise<Answer<Webhook> | undefined> {
  if (folderId !== undefined) return send(context, operations.createFolderWebhook, { folderId }, create);
  if (spaceId !== undefined) return send(context, operations.createSpaceWebhook, { spaceId }, create);
  const { recursive: _, ...ofAccount } = create;
  return send(context, operations.createWebhook, {}, ofAccount);
}

/**
 * The service knows no key that would make a second create harmless, and nothing in a list tells a new webhook from one
 * that was there. So when the answer was lost nothing is sent again, and what could be it is named.
 */
async function lookFor(
  context: Context,
  error: unknown,
  create: WebhookCreate,
  folderId: string | undefined,
): Promise<never> {
  if (!(error instanceof Failure) || error.code !== 'outcome_unknown') throw error;
  const session = await context.session();
  const listed = await session.send(operations.listWebhooks, {}, {}).catch(() => undefined);
  const like = listed?.records.filter(
    (webhook) =>
      webhook.hookUrl === create.hookUrl && (folderId === undefined || webhook.folderId === folderId),
  );
  const found = like?.map(({ id, status }) => `${id} (${status ?? 'no status'})`).join(', ');
  throw new Failure('outcome_unknown', {
    what: 'The webhook was sent for creation, and no answer tells whether it was made',
    why: error.why,
    hint: found
      ? `There with the same URL, made now or before: ${found}. See wm webhook get ID before you try again.`
      : like
        ? `None with this URL is in the list now: it was not made, unless it appears late. See wm webhook list, then try again.\n${onlyThisApplication}`
        : 'Look for it before you try again: wm webhook list',
    cause: error,
  });
}
