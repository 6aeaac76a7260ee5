import { MAX_SEARCH_CHARACTERS, MAX_SEARCH_WORDS, searchQuery } from './search-query.js';

describe('a search query', () => {
  it.each([
    ['refund order', 'refund order'],
    ['"late delivery" -refund or exchange', '"late delivery" -refund or exchange'],
    ['http://x.y/z?a=b&c=d', 'http://x.y/z?a=b&c=d'],
    ['  ana@example.com \n', 'ana@example.com'],
    ['no-show', 'no-show'],
  ])('keeps what has a meaning: %j', (typed, query) => {
    expect(searchQuery(typed)).toBe(query);
  });

  it.each([
    ['price - list', 'price list'],
    ['---refund', '-refund'],
    ['-!-(-refund', '-refund'],
    ['(refund)', 'refund)'],
    ['a!-!-!-b', 'a b'],
    ['- ! & | ( )', ''],
    ['', ''],
  ])('takes the sting out of %j', (typed, query) => {
    expect(searchQuery(typed)).toBe(query);
  });

  it('looks at no more than so many words and characters', () => {
    expect(searchQuery('a '.repeat(1_000)).split(' ')).toHaveLength(MAX_SEARCH_WORDS);
    expect(searchQuery('x'.repeat(10_240))).toHaveLength(MAX_SEARCH_CHARACTERS);
  });

  it('leaves no half of a character behind where it cuts', () => {
    expect(searchQuery(`${'x'.repeat(MAX_SEARCH_CHARACTERS - 1)}😀`).isWellFormed()).toBe(true);
  });
});
