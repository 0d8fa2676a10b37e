// What the emulator accepts beyond the contract's letter: one table. The response names the row; --strict rejects the request.

import type { AssumptionId, ToleranceId } from '#contract/assumption.ts';
import { customFieldEntry } from '#contract/custom-field-schemas.ts';
import { isJsonObject } from '#contract/json.ts';
import type { Schema } from '#contract/schema.ts';
import { invalidParameter, invalidRequest } from './error-response.ts';

/** Says what is wrong with a parameter's value. */
const value = (why: string) => ({ why });

/** The error with --strict: about the request, or about the value of a parameter. */
const tolerances: Readonly<Record<ToleranceId, string | { readonly why: string }>> = {
  'trailing-slash': 'The path ends in a slash',
  'double-slash': 'The path has two slashes in a row',
  'plus-sign': 'In a query, write %20 for a blank and %2B for a plus sign',
  'token-twice': 'Send the token in the header or in the query, not in both',
  'multipart-parameters': 'Send parameters as a form, or as JSON',
  'webhook-query': 'Send the parameters of a new webhook in the body, not in the query',
  'unencoded-json': value('it has characters that must be percent-encoded'),
  'lenient-json': value('it is not JSON, or has a text for a number'),
  'plain-lists': value('it is not one JSON list, with each item in double quotes'),
  'json-in-json': value('it is text; in a JSON body, a list is a JSON list'),
  'loose-booleans': value('it is not one of true, false'),
  'field-without-value': value('an entry has no value'),
  'letter-case': value('a word in it has another letter case'),
  'quoted-filter': value('it has quotes around it'),
  'unknown-parameter': value('neither the contract nor this emulator knows a parameter of this name'),
  'token-query': 'Send the parameters in the form, not in the query',
  'basic-credentials': 'Send client_id and client_secret in the form',
  'both-credentials': 'Send the client secret in the form or in the Authorization header, not both',
  pkce: 'code_verifier is not a parameter of this request',
  'unknown-token-parameter': 'The form has a parameter that this request does not take',
  'unknown-scope': 'scope contains a scope outside the list of the contract',
};

export interface ToleranceRules {
  readonly strict: boolean;
  /** Called with the assumption under which a request is accepted. */
  readonly assume: (id: AssumptionId) => void;
}

/** Notes the assumption, or throws with --strict. */
export function tolerate({ strict, assume }: ToleranceRules, id: ToleranceId, parameter = ''): void {
  const row = tolerances[id];
  if (!strict) assume(id);
  else if (typeof row === 'string') throw invalidRequest(row, id);
  else throw invalidParameter(parameter, row.why, id);
}

/** Whether a text in it is accepted only because a limit counts code points. */
export function countsCodePoints({ form }: Schema<unknown>, input: unknown): boolean {
  if (form?.kind === 'nullable') return countsCodePoints(form.schema, input);
  if (form?.kind === 'list' && Array.isArray(input))
    return input.some((item) => countsCodePoints(form.item, item));
  if (form?.kind === 'object' && isJsonObject(input))
    return Object.entries(form.shape).some(([name, schema]) => countsCodePoints(schema, input[name]));
  return form?.kind === 'text' && typeof input === 'string' && input.length > (form.rules.max ?? Infinity);
}

export type Note = (id: ToleranceId) => void;

/** Puts words into the letter case of the schema, and turns flags and numbers from texts. Calls `note` with each change. */
export function normalized({ form, choices }: Schema<unknown>, input: unknown, note: Note): unknown {
  if (form?.kind === 'list' && Array.isArray(input))
    return input.map((item: unknown) => normalized(form.item, item, note));
  if (form?.kind === 'object' && isJsonObject(input)) {
    const isField = form.shape === customFieldEntry.shape && !('value' in input);
    if (isField) note('field-without-value');
    const entries = Object.entries(isField ? { ...input, value: null } : input);
    const members = entries.map(([name, member]): [string, unknown] => {
      const schema = Object.hasOwn(form.shape, name) ? form.shape[name] : undefined;
      return [name, schema === undefined ? member : normalized(schema, member, note)];
    });
    return Object.fromEntries(members);
  }
  if (typeof input !== 'string' && typeof input !== 'number') return input;
  const word = String(input).toLowerCase();
  if (form?.kind === 'boolean' && /^(?:true|false|1|0)$/.test(word)) {
    note('loose-booleans');
    return word === 'true' || word === '1';
  }
  if (form?.kind === 'number' && typeof input === 'string' && /^-?\d+(\.\d+)?$/.test(input)) {
    note('lenient-json');
    return Number(input);
  }
  const match =
    form?.kind === 'choice' ? choices?.find((choice) => choice.toLowerCase() === word) : undefined;
  if (match !== undefined && match !== input) note('letter-case');
  return match ?? input;
}
