// What the reference and the man pages say about a flag's values, besides its help.

/** Returns `Takes High, Low or Normal.` or `From 1 to 1000.`; empty if the help says everything. */
export function describeValues({ help, choices, minimum, maximum, repeatable, required, acceptsFile }) {
  const isInHelp = choices?.every((choice) => help.includes(choice));
  return [
    ...(required ? ['Required.'] : []),
    ...(choices && !isInHelp ? [`${repeatable ? 'Values' : 'One of'}: ${choices.join(', ')}.`] : []),
    ...(minimum === undefined ? [] : [`From ${minimum} to ${maximum}.`]),
    ...(repeatable ? ['Can be repeated.'] : []),
    ...(acceptsFile && !/@FILE/.test(help) ? ['Takes @FILE, or - for standard input.'] : []),
  ].join(' ');
}

/** Returns the flags of a command that every command has. */
export function commonFlagsOf({ requestFlags, commonFlags }, command) {
  const ownFlags = command.flags.map(({ flag }) => flag);
  const allFlags = [...(command.sendsRequests ? requestFlags : []), ...commonFlags];
  return allFlags.filter(({ flag }) => !ownFlags.includes(flag));
}

export const changesText = {
  nothing: 'Changes nothing.',
  'this machine': 'Changes at most this machine.',
  'the emulator': 'Changes at most the emulator.',
  'a receiver': 'Sends requests to a receiver.',
  'the service': 'May change records of the service.',
};
