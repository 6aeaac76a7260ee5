import fc from 'fast-check';

import { splitArray } from './split-batch.js';

const split = (json: string) =>
  splitArray(new TextEncoder().encode(json)).map((part) => new TextDecoder().decode(part));

describe('splitting an array', () => {
  test('gives each element as it was written', () => {
    expect(split('[]')).toEqual([]);
    expect(split(' [ \n ] ')).toEqual([]);
    expect(split('[1e999, {"a":[1,{"b":"],[}"}]} ,"\\"],[", null]')).toEqual([
      '1e999',
      ' {"a":[1,{"b":"],[}"}]} ',
      '"\\"],["',
      ' null',
    ]);
  });

  test('finds as many elements as there are, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (values, indent) => {
        const parts = split(JSON.stringify(values, null, indent));
        expect(parts.map((part) => JSON.parse(part))).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    );
  });
});
