// How a list is filtered by a part of a title or a name: in any case. Without a text, everything matches.

export function createTextMatch(text: string | undefined): (value: string | undefined) => boolean {
  const wanted = text?.toLowerCase();
  return (value) => wanted === undefined || value?.toLowerCase().includes(wanted) === true;
}
