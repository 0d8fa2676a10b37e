// Formats a number and its noun, in the singular or the plural: `1 delivery`, `2 deliveries are`.

export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
