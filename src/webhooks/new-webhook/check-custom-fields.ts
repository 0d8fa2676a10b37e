// Checks that the custom fields of a filter exist before a webhook is created: the service may accept a wrong field without
// an error, and the webhook would never fire.

import type { Context } from '#cli/context.ts';
import { readWholeList } from '#cli/read-pages.ts';
import { warnUnlessFatal } from '#cli/warn-unless-fatal.ts';
import { accountOperations } from '#contract/account-operations.ts';
import { nearestWords } from '#contract/did-you-mean.ts';
import { joinWithOr } from '#contract/format-list.ts';
import type { CustomFieldDefinition } from '#contract/read-only-records.ts';
import { formatValue } from '#contract/schema.ts';
import type { ParameterisedEvent } from '#contract/webhook-create.ts';
import { usageError } from '#failure.ts';

/** Throws a usage failure, beginning with `name`, for a custom field that does not exist. Sends nothing if no filter names a field. */
export async function checkCustomFields(
  context: Context,
  entries: readonly Pick<ParameterisedEvent, 'customFields'>[],
  name = '--parameterised-events',
): Promise<void> {
  const ids = [...new Set(entries.flatMap(({ customFields }) => customFields ?? []))];
  if (ids.length === 0) return;
  const session = await context.session();
  const fields = await readWholeList(session, accountOperations.listCustomFields).catch((error: unknown) =>
    warnUnlessFatal(context, 'Cannot check the custom fields of the filter', error),
  );
  const unknown = ids.find((id) => !fields?.some((field) => field.id === id));
  if (fields === undefined || unknown === undefined) return;
  throw usageError(
    `${name}: the account has no custom field ${formatValue(unknown)}`,
    hintFor(unknown, fields),
    'such a webhook would never deliver anything',
  );
}

const manyFields = 20;

function hintFor(unknown: string, fields: readonly CustomFieldDefinition[]): string {
  const ids = fields.map(({ id }) => id);
  const near = nearestWords(unknown, ids);
  const named = fields
    .filter(({ id }) => near.includes(id) || (near.length === 0 && fields.length <= manyFields))
    .map(({ id, title }) => (title === undefined ? id : `${id} (${title})`));
  if (near.length > 0) return `Did you mean ${joinWithOr(named)}?`;
  return named.length > 0
    ? `The custom fields are: ${named.join(', ')}`
    : `None of the ${fields.length} custom fields that you can see has a similar id.`;
}
