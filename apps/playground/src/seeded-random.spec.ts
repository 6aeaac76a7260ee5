import { SeededRandom } from './seeded-random.js';

describe('seeded chance', () => {
  const draw = (seed: number) => {
    const random = new SeededRandom(seed);
    return Array.from({ length: 1_000 }, () => random.next());
  };

  test('is the same for the same seed and another for another', () => {
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  test('is spread over the whole of its range', () => {
    const tenths = draw(1).map((number) => Math.floor(number * 10));
    for (let tenth = 0; tenth < 10; tenth++) {
      expect(tenths.filter((each) => each === tenth).length).toBeGreaterThan(50);
    }
  });

  test('picks each item and stays between its bounds', () => {
    const random = new SeededRandom(3);
    const picked = new Set(Array.from({ length: 100 }, () => random.pick(['a', 'b', 'c'])));
    expect([...picked].sort()).toEqual(['a', 'b', 'c']);
    for (let draws = 0; draws < 100; draws++) {
      const number = random.between([5, 6]);
      expect(number >= 5 && number < 6).toBe(true);
    }
  });
});
