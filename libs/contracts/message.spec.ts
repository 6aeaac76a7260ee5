import * as z from 'zod';
import { Attachments, Text } from './fields.js';
import { message, optional } from './message.js';

const Note = message({ title: Text, detail: optional(Text), files: optional(Attachments) });

describe('message', () => {
  test.each([
    ['null', { title: 'a', detail: null, files: null }],
    ['undefined', { title: 'a', detail: undefined, files: undefined }],
    ['missing', { title: 'a' }],
    ['an empty list of attachments', { title: 'a', files: [] }],
  ])('an optional that is %s has no key', (_, input) => {
    expect(Note.parse(input)).toStrictEqual({ title: 'a' });
  });

  test('an optional that is there stays, however false it looks', () => {
    const Flags = message({ on: optional(z.boolean()), n: optional(z.int()), s: optional(Text), gone: optional(Text) });
    expect(Flags.parse({ on: false, n: 0, s: '', gone: null })).toStrictEqual({ on: false, n: 0, s: '' });
  });

  test('a required field is not satisfied by null', () => {
    expect(Note.safeParse({ title: null }).success).toBe(false);
    expect(Note.safeParse({}).success).toBe(false);
  });

  test('unknown fields are ignored, __proto__ among them', () => {
    const parsed = Note.parse(JSON.parse('{"title":"a","later":1,"__proto__":{"detail":"b"}}'));
    expect(parsed).toStrictEqual({ title: 'a' });
    expect(parsed.detail).toBeUndefined();
  });

  test('an array is no object', () => {
    expect(message({ detail: optional(Text) }).safeParse([]).success).toBe(false);
  });

  test('the input is left as it was', () => {
    const input = { title: 'a\0', detail: null, later: 1 };
    Note.parse(input);
    expect(input).toStrictEqual({ title: 'a\0', detail: null, later: 1 });
  });
});
