// Lists of names in the facts of this folder are written as text, with spaces or line ends between them.

export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
