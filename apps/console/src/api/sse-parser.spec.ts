import * as fc from 'fast-check';

import { SseParser } from './sse-parser.js';

const STREAM = ': hello\n\nid: 7\ndata: {"a":1}\n\nevent: resync\nid:9\ndata: one\ndata: two\n\n:\n\ndata: last\n\n';

function parse(pieces: readonly string[]) {
  const parser = new SseParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

describe('SseParser', () => {
  it('gives each event with its name, its data and the id in force', () => {
    expect(parse([STREAM])).toEqual([
      { event: 'message', data: '{"a":1}', id: '7' },
      { event: 'resync', data: 'one\ntwo', id: '9' },
      { event: 'message', data: 'last', id: '9' },
    ]);
  });

  it.each(['\n', '\r', '\r\n'])('gives the same however the stream is cut, with %j at the ends of lines', (end) => {
    const stream = STREAM.replaceAll('\n', end);
    const cuts = fc.array(fc.nat(stream.length), { maxLength: 6 });
    fc.assert(
      fc.property(cuts, (places) => {
        const bounds = [0, ...places.sort((a, b) => a - b), stream.length];
        const pieces = bounds.slice(1).map((bound, index) => stream.slice(bounds[index], bound));
        // A last comment line shows that the CR at the very end was no half of a CRLF.
        expect(parse([...pieces, ':\n'])).toEqual(parse([STREAM]));
      }),
    );
  });

  it('gives nothing for an event without data, such as a heartbeat', () => {
    expect(parse([': beat\n\n', 'event: resync\n\n'])).toEqual([]);
  });
});
