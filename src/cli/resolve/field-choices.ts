// Reads the choices of a drop-down custom field. The contract does not show them; this follows public integrations of the
// service.

/** `values`: empty for a field without choices. `allowsOthers`: true if the field accepts other values too. */
export function readChoices(settings: unknown) {
  if (typeof settings !== 'object' || settings === null || !('values' in settings))
    return { values: [], allowsOthers: false };
  const { values } = settings;
  return {
    values: Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [],
    allowsOthers: 'allowOtherValues' in settings && settings.allowOtherValues === true,
  };
}
