// The webhook that a rotation is about. While one is under way, the old webhook and its successor have the same URL: the same
// words mean the old one, so that the same command continues.

import { foldCase } from '../../../terminal/picker/fold-case.ts';
import type { Context } from '../../context.ts';
import { isIdShaped } from '../../resolve/id-shape.ts';
import { listHooks } from '../hook.ts';
import { assertNamesOne, selectOneWebhook } from '../select/choose.ts';
import { matchWebhooks } from '../select/match.ts';
import { pickOneWebhook } from '../select/pick.ts';

export async function selectRotation(context: Context, text: string | undefined): Promise<string> {
  if (text === undefined)
    return pickOneWebhook(context, {
      command: 'rotate-secret',
      question: 'Which webhook gets a new secret?',
    });
  assertNamesOne(text);
  const local = await (await context.webhookRecords()).read();
  const isUnderWay = (id: string) => local.get(id)?.rotation !== undefined;
  const underWay = [...local.keys()].filter(isUnderWay);
  if (underWay.length === 0 || local.has(text) || isIdShaped(text)) return selectOneWebhook(context, text);
  // The old one may be deleted already, and so not be listed.
  const labelled = underWay.filter((id) => foldCase(local.get(id)?.label ?? '') === foldCase(text));
  const { hooks } = matchWebhooks(text, await listHooks(context), local);
  const matching = hooks.flatMap(({ record: { id } }) => {
    const old = local.get(id)?.replaces?.id ?? id;
    return isUnderWay(old) ? [old] : [];
  });
  const [only, ...more] = new Set([...labelled, ...matching]);
  return only !== undefined && more.length === 0 ? only : selectOneWebhook(context, text);
}
