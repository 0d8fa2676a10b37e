// Phrases that sound translated, and words that docs/vocabulary.md has retired: test/documents/voice.test.ts looks for them in docs,
// comments and names of tests, commit-subjects.mjs in subjects.

/** A text without these is not yet good; a text with one sounds translated. */
const translated = /\bis no \w+|\b(?:nobody|somebody|whoever|those that)\b/gi;
/** In names of tests and in subjects; in code, RFCs and Node use some of them. */
const retired = /\b(?:refus\w*|renew\w*|pace|in any case)\b/gi;
/** Good English all the same, and the name of a step that recorded probes of the contract hold. */
const exceptions = /\bthere is no \w+|\bis no (?:longer|more)\b|'tasks of nobody'|\bconnection refused\b/gi;

/** Line ends, and the marks with which a comment or a quotation continues, are spaces. */
function plain(text) {
  return text.replace(/\s*\n\s*(?:\/\/|\*(?!\*)|>)?\s*/g, ' ').replace(exceptions, '');
}

/** Returns what it finds in `text`. @param {string} text @returns {string[]} */
export function translatedPhrases(text) {
  return plain(text).match(translated) ?? [];
}

/** As {@link translatedPhrases}, and retired words. */
export function phrasesInName(name) {
  return [...translatedPhrases(name), ...(plain(name).match(retired) ?? [])];
}
