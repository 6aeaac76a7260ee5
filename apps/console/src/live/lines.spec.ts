import { appendLine, type Line } from './lines.js';

const line = (seq: number) => ({ seq, body: `line ${seq}` }) as Line;

describe('appendLine', () => {
  it('appends the next line', () => {
    expect(appendLine([line(0)], line(1))).toEqual([line(0), line(1)]);
    expect(appendLine([], line(0))).toEqual([line(0)]);
  });

  it('leaves the lines alone when it is there already', () => {
    const lines = [line(0), line(1)];
    expect(appendLine(lines, line(1))).toBe(lines);
  });

  it('says when lines are missing before it', () => {
    expect(appendLine([line(0)], line(2))).toBeUndefined();
  });
});
