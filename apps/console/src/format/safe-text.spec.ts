import { attachmentName, attachmentText, clip, onOneLine, plainName } from './safe-text.js';

describe('plainName', () => {
  it('shows what would turn or hide the text around it', () => {
    expect(plainName('ada\u202Egnp.exe\u200B')).toBe('ada\\u202Egnp.exe\\u200B');
  });

  it('is one line', () => {
    expect(plainName('a\n\tb')).toBe('a b');
  });

  it('leaves every script alone', () => {
    expect(plainName('عادة 李 Ñandú 😀')).toBe('عادة 李 Ñandú 😀');
  });
});

describe('onOneLine', () => {
  it('drops what would turn the line', () => {
    expect(onOneLine(' a\u202E\n b\u2067 ')).toBe('a b');
  });
});

describe('clip', () => {
  it('cuts between characters', () => {
    expect(clip('a😀b', 2)).toEqual({ shown: 'a', isCut: true });
    expect(clip('a😀b', 3)).toEqual({ shown: 'a😀', isCut: true });
    expect(clip('a😀b', 4)).toEqual({ shown: 'a😀b', isCut: false });
  });
});

describe('attachments', () => {
  it('are named by what they say of themselves, as plain text', () => {
    expect(attachmentName({ type: 'image/png', filename: 'x\u202Egnp.exe' })).toBe('x\\u202Egnp.exe');
    expect([attachmentName(null), attachmentName('text'), attachmentName({ name: 3 })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('are text, whatever they are', () => {
    expect(attachmentText({ url: 'javascript:alert(1)' })).toBe('{\n  "url": "javascript:alert(1)"\n}');
    expect(attachmentText('as it is')).toBe('as it is');
  });
});
