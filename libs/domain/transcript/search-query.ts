/** How much of a query counts; the rest is ignored, as in other search engines. */
export const MAX_SEARCH_WORDS = 32;
export const MAX_SEARCH_CHARACTERS = 1_024;

const OPERATORS_ONLY = /^[-!&|()]*$/;
const LEADING_OPERATORS = /^[-!&|()]+/;
const OPERATORS_WITHIN = /[!&|()][-!&|()]+/g;

/**
 * Turns what a person typed into a query for `websearch_to_tsquery` that cannot make PostgreSQL fail or work without
 * bound. Words, "phrases", `or`, and `-` right before what is to be excluded keep their meaning; exclusions within
 * exclusions, which PostgreSQL nests until it fails, become one.
 */
export function searchQuery(typed: string): string {
  return typed
    .slice(0, MAX_SEARCH_CHARACTERS)
    .toWellFormed()
    .split(/\s+/)
    .filter((word) => !OPERATORS_ONLY.test(word))
    .slice(0, MAX_SEARCH_WORDS)
    .map((word) =>
      word.replace(LEADING_OPERATORS, (run) => (run.includes('-') ? '-' : '')).replace(OPERATORS_WITHIN, ' '),
    )
    .join(' ');
}
