// Parses one entry of a webhook file by the contract's own rules, so that an invalid entry is found before anything is sent.

import { isOneWord } from '#cli/resolve/id-shape.ts';
import type { YamlNode } from '#cli/yaml-document.ts';
import { didYouMean } from '#contract/did-you-mean.ts';
import { type EventName, eventNames } from '#contract/event.ts';
import { identifier } from '#contract/identifier.ts';
import { boolean, choice, invalidValue, type Schema, text, ValidationError } from '#contract/schema.ts';
import { webhookStatus } from '#contract/webhook.ts';
import { webhookCreateParameters } from '#contract/webhook-create.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { type Member, members, settingMembers } from '../compare-settings.ts';
import { isAccount, type WebhookScope } from '../coverage.ts';
import { toNewWebhook } from '../new-webhook/create-request.ts';
import { parseLabel } from '../records/label.ts';
import type { Problems } from './entry-problems.ts';
import type { HookEntry, SecretReference } from './hooks-file.ts';

const names = ['label', 'url', ...settingMembers, 'status', 'secret', 'notShown'];

/** Members that users of the service's API may expect, and why the format does not have them. */
const reasons = new Map([
  ['id', 'wm finds the webhook by its url and scope: a webhook that replaces another has a new id'],
]);

/** An id, a title or a permalink. */
const placeSchema = text('place', { notEmpty: true });
const labelSchema = text('label', { notEmpty: true });
const itemTypeSchema = identifier('EntityTypeId');
const memberSchema = choice('member', members);

/** `checkUrl` throws a {@link ValidationError} for a URL to which the service would not deliver. */
export function parseEntry(node: YamlNode, problems: Problems, checkUrl: (url: string) => unknown) {
  const nodes = problems.members(node, 'a webhook', names, reasons);
  if (!nodes) return undefined;
  const before = problems.all.length;
  const read = <T>(name: string, schema: Pick<Schema<T>, 'validate'>) =>
    problems.read(nodes.get(name), name, (input) => schema.validate(input));
  const readList = <T>(name: string, schema: Schema<T>) =>
    problems.readEach(nodes.get(name), name, (input) => schema.validate(input));
  const url = read('url', {
    validate(input) {
      const validUrl = webhookCreateParameters.hookUrl.schema.validate(input);
      checkUrl(validUrl);
      return validUrl;
    },
  });
  if (!nodes.has('url')) problems.add(node.line, 'a webhook has no url');
  const [scope, events, secret] = [nodes.get('scope'), nodes.get('events'), nodes.get('secret')];
  const notShown = readList('notShown', memberSchema) ?? [];
  const unless = <T>(member: Member, value: T) => (notShown.includes(member) ? undefined : value);
  const entry: HookEntry = {
    line: node.line,
    scopeLine: scope?.line,
    label: read('label', { validate: (input) => parseLabel(labelSchema.validate(input)) }),
    url: url ?? '',
    scope: scope && parseScope(scope, problems),
    recursive: read('recursive', boolean) ?? unless('recursive', false),
    events: events ? parseEvents(events, problems) : unless('events', []),
    parameterisedEvents:
      read('parameterisedEvents', webhookCreateParameters.parameterisedEvents.schema) ??
      unless('parameterisedEvents', []),
    customItemTypes: readList('customItemTypes', itemTypeSchema) ?? unless('customItemTypes', []),
    signed: unless('secret', secret !== undefined),
    status: read('status', webhookStatus),
    secret: secret && parseSecret(secret, problems),
  };
  checkTogether(entry, new Set(nodes.keys()), notShown, problems);
  return problems.all.length === before ? entry : undefined;
}

function parseScope(node: YamlNode, problems: Problems): WebhookScope | undefined {
  if (node.kind === 'scalar' && node.value === 'account') return {};
  const nodes = node.kind === 'map' ? problems.members(node, 'scope', ['folder', 'space']) : undefined;
  const [folder, space] = [nodes?.get('folder'), nodes?.get('space')];
  if (nodes && (folder === undefined) !== (space === undefined)) {
    const read = (name: string) =>
      problems.read(nodes.get(name), name, (input) => placeSchema.validate(input));
    return omitUndefined({ folderId: read('folder'), spaceId: read('space') });
  }
  return problems.add(node.line, 'scope is not account, {folder: ID} or {space: ID}');
}

function parseEvents(node: YamlNode, problems: Problems): HookEntry['events'] {
  if (node.kind === 'scalar' && node.value === 'all') return 'all';
  if (node.kind === 'scalar') return problems.add(node.line, 'events is neither a list nor the word all');
  return problems.readEach(node, 'events', (input): EventName => {
    const name = eventNames.find((event) => event === input);
    if (name !== undefined) return name;
    const suggestion = didYouMean(String(input), eventNames) ?? 'To list them: wm webhook events';
    throw invalidValue(input, `is not an event. ${suggestion}`);
  });
}

/** Variables that sign `wm` in are not accepted as secrets: the author of a file could have them sent to the service. */
const reservedNames = /^WM_(?!WEBHOOK_SECRET)/;

/** Hides the value: a user who misread the format may have put the secret there. */
const hidden = 'the value, which is not shown here,';

function parseSecret(node: YamlNode, problems: Problems): SecretReference | undefined {
  if (node.kind === 'scalar')
    return problems.add(
      node.line,
      'secret names where the secret is, and is never the secret itself: {variable: NAME} or {stored: ID}',
    );
  const nodes = problems.members(node, 'secret', ['variable', 'stored']);
  const [variable, stored] = [nodes?.get('variable'), nodes?.get('stored')];
  if (!nodes) return undefined;
  if (variable !== undefined && stored === undefined)
    return problems.read(variable, 'variable', (input) => {
      const name = String(input);
      if (!/^[A-Za-z_]\w*$/.test(name)) throw new ValidationError(hidden, 'is not the name of a variable');
      if (reservedNames.test(name))
        throw new ValidationError(name, 'belongs to wm; give the secret a variable of its own');
      return { variable: name };
    });
  if (stored !== undefined && variable === undefined)
    return problems.read(stored, 'stored', (input) => {
      if (typeof input !== 'string' || !isOneWord(input))
        throw new ValidationError(hidden, 'is not the id of a webhook');
      return { stored: input };
    });
  return problems.add(node.line, 'secret is not {variable: NAME} or {stored: ID}');
}

/** Checks the members against each other; each is valid by itself. */
function checkTogether(
  entry: HookEntry,
  present: ReadonlySet<string>,
  notShown: readonly Member[],
  problems: Problems,
): void {
  const { line, url, scope, events } = entry;
  const isUnknown = (name: Member) => notShown.includes(name);
  for (const name of notShown)
    if (present.has(name))
      problems.add(line, `${name} has a value and is in notShown: remove one of the two`);
  if (!present.has('scope') && !isUnknown('scope'))
    problems.add(line, 'a webhook has no scope: account, {folder: ID} or {space: ID}');
  if (present.has('recursive') && isAccount(scope))
    problems.add(line, 'recursive goes with a folder or a space: a webhook of the account covers everything');
  if (!present.has('events') && !present.has('parameterisedEvents') && !isUnknown('events'))
    problems.add(line, 'a webhook has no events: list them, or write events: all');
  if (events === 'all' && present.has('parameterisedEvents'))
    problems.add(line, 'events: all and parameterisedEvents contradict each other');
  problems.check(line, undefined, () => toNewWebhook(url, entry));
}
