// A list of names for a table, written as one text: `words('High Low Normal')`. Its type knows each of them.

type Word<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Word<Rest> : Text;

export function words<const Text extends string>(text: Text): readonly Word<Text>[] {
  // Splitting at the spaces gives the words of the type, which the compiler cannot follow.
  return text.split(' ') as Word<Text>[];
}
