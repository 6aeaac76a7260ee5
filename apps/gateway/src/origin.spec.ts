import { HttpRefusal } from './http-refusal.js';
import { checkOrigin, isLoopback } from './origin.js';

const PUBLIC = new URL('https://holdline.example');

describe('where a request comes from', () => {
  const passes = (
    method: string,
    headers: { host?: string; origin?: string },
    where: { publicUrl: URL | undefined; loopbackOnly: boolean } = { publicUrl: PUBLIC, loopbackOnly: true },
  ) => {
    try {
      checkOrigin({ method, headers }, where);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(HttpRefusal);
      expect((error as HttpRefusal).status).toBe(403);
      return false;
    }
  };

  test.each([
    ['127.0.0.1:8080', 'http://127.0.0.1:8080', true],
    ['localhost:8080', 'http://localhost:8080', true],
    ['LOCALHOST:8080', 'http://localhost:8080', true],
    ['[::1]:8080', 'http://[::1]:8080', true],
    ['127.0.0.1:8080', 'https://holdline.example', true],
    ['holdline.example', 'https://holdline.example', true],
    ['127.0.0.1:8080', 'http://localhost:8080', false],
    ['127.0.0.1:8080', 'http://127.0.0.1:8081', false],
    ['127.0.0.1:8080', 'http://evil.example', false],
    ['127.0.0.1:8080', 'https://holdline.example.evil.example', false],
    ['127.0.0.1:8080', 'null', false],
    ['127.0.0.1:8080', 'file://', false],
    ['127.0.0.1:8080', '', false],
    ['evil.example:8080', 'http://evil.example:8080', false],
    ['localhost.evil.example:8080', 'http://localhost.evil.example:8080', false],
    ['', 'http://', false],
  ])('a write to %s from %s: %s', (host, origin, allowed) => {
    expect(passes('POST', { host, origin })).toBe(allowed);
    expect(passes('DELETE', { host, origin })).toBe(allowed);
  });

  test('is asked of reads and of programs only as far as the name goes by which they called', () => {
    expect(passes('GET', { host: 'localhost', origin: 'http://evil.example' })).toBe(true);
    expect(passes('POST', { host: '127.0.0.1:8080' })).toBe(true);
    expect(passes('GET', { host: 'evil.example' })).toBe(false);
    expect(passes('POST', { host: 'evil.example' })).toBe(false);
    expect(passes('GET', { host: 'holdline.example' }, { publicUrl: undefined, loopbackOnly: true })).toBe(false);
  });

  test('may be any name where other machines can call', () => {
    const open = { publicUrl: undefined, loopbackOnly: false };
    expect(passes('POST', { host: 'gateway:8080' }, open)).toBe(true);
    expect(passes('POST', { host: 'gateway:8080', origin: 'http://gateway:8080' }, open)).toBe(true);
    expect(passes('POST', { host: 'gateway:8080', origin: 'http://evil.example' }, open)).toBe(false);
  });

  test('an address is of this machine only, or not', () => {
    expect(['127.0.0.1', '127.1.2.3', 'localhost', '::1'].every(isLoopback)).toBe(true);
    expect(['0.0.0.0', '::', '10.0.0.1', 'example.org'].some(isLoopback)).toBe(false);
  });
});
