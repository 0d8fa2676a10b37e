// Names all missing values of a command in one error, so that the user can fix a script in one step.

import { joinWithAnd } from '#contract/format-list.ts';
import { type Failure, usageError } from '#failure.ts';

type Complete<V> = { readonly [K in keyof V]: NonNullable<V[K]> };

/** Each value by its flag or environment variable. Throws if any is missing. */
export function requireValues<V extends Readonly<Record<string, string | undefined>>>(
  values: V,
  failure: (names: readonly string[]) => Failure,
): Complete<V> {
  const names = Object.keys(values).filter((name) => values[name] === undefined);
  if (names.length > 0) throw failure(names);
  // No value is undefined, but the compiler cannot infer that from the filter.
  return values as Complete<V>;
}

/** `reason`: why wm cannot prompt, such as `not a terminal`. */
export function cannotPromptFailure(names: readonly string[], reason: string): Failure {
  const how = howToProvide(names);
  return usageError(
    `Missing: ${joinWithAnd(names)}`,
    `Cannot prompt: ${reason}. ${how.charAt(0).toUpperCase()}${how.slice(1)}.`,
  );
}

/** `give --auth-url and --client-id, and set WM_CLIENT_SECRET` */
export function howToProvide(names: readonly string[]): string {
  const isVariable = (name: string) => name.startsWith('WM_');
  const flags = names.filter((name) => !isVariable(name));
  const variables = names.filter(isVariable);
  return [
    ...(flags.length > 0 ? [`give ${joinWithAnd(flags)}`] : []),
    ...(variables.length > 0 ? [`set ${joinWithAnd(variables)}`] : []),
  ].join(', and ');
}
