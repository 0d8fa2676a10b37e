// Reads the choices of a drop-down custom field. The contract does not show them; this follows public integrations of the service.

import { isJsonObject } from '#contract/json.ts';

/** `values`: empty for a field without choices. `allowsOthers`: true if the field accepts other values too. */
export function readChoices(settings: unknown) {
  const { values = [], allowOtherValues } = isJsonObject(settings) ? settings : {};
  return {
    values: Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [],
    allowsOthers: allowOtherValues === true,
  };
}
