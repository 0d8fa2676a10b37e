// Names webhooks in errors: by the id, with the URL and the label as far as the service or this machine knows them. Whoever
// reads the error at night knows neither the id nor which command of a script it came from.

import { Failure } from '../../../failure.ts';
import { type ChangeTarget, hookUrlOf } from './confirm.ts';

/** `Webhook IEAAAAAQJAAAAAAB (https://hooks.example.com/billing, 'billing sync')`. */
export function webhookSubject(target: ChangeTarget): string {
  const names = knownNames(target);
  return `Webhook ${target.id}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;
}

function knownNames(target: ChangeTarget): readonly string[] {
  const label = target.local?.label;
  return [hookUrlOf(target) ?? [], label === undefined ? [] : `'${label}'`].flat();
}

/** True if anything but the id is known that tells it apart. */
export function hasName(target: ChangeTarget): boolean {
  return knownNames(target).length > 0;
}

/** The failure with the webhook in its message, unless it is there. */
export function withWebhookName(failure: Failure, target: ChangeTarget): Failure {
  const subject = webhookSubject(target);
  const isNamed = failure.message.includes(hasName(target) ? subject : target.id);
  return isNamed ? failure : failure.with({ message: `${subject}: ${failure.message}` });
}

/** What `run` gives. A failure of the only webhook of a command is named, if there is more to it than the id. */
export async function nameFailure<T>(target: ChangeTarget, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Failure) || !concernsOne(error) || !hasName(target)) throw error;
    throw withWebhookName(error, target);
  }
}

/** Whether the request for another webhook may end differently. */
export function concernsOne({ meaning }: Failure): boolean {
  return meaning.concerns === 'record' || meaning.concerns === 'service';
}
