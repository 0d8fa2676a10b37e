// Formats a number and its noun, in the singular or the plural: `1 delivery`, `2 deliveries are`.

export function countOf(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
