import { dirname, join, normalize } from 'node:path';

import { allPages, isThere, readPage } from './markdown.js';

const FILE_NAME = /`((?:apps|bench|docs|examples|libs|nats|scripts|test)\/[\w./-]+)`/g;
const LINK = /\]\((?!https?:)([^)#\s]+)(?:#[^)\s]*)?\)/g;

describe('the documentation', () => {
  test.each(allPages().map((page) => [page.path, page] as const))('%s names files that are there', (path, { text }) => {
    const named = [...text.matchAll(FILE_NAME)].map(([, name]) => name as string);
    const linked = [...text.matchAll(LINK)].map(([, target]) => normalize(join(dirname(path), target as string)));
    expect([...named, ...linked].filter((name) => !isThere(name))).toEqual([]);
  });

  test('the message flow names a file in each of its paths', () => {
    const paths = readPage('docs/message-flow.md').text.split(/^## /m).slice(1);
    expect(paths.map((path) => path.split('\n')[0])).toEqual([
      'An inbound',
      'A pause',
      'A resume',
      'An escalation',
      'A reply of the agent',
      'A draft',
      "An operator's reply",
      'A report of a channel',
      'A row of the outbox',
      'A request over HTTP',
      'An event over HTTP',
      'What a console shows',
    ]);
    for (const path of paths) expect(path.match(FILE_NAME)?.length).toBeGreaterThan(3);
  });

  test('every page of a decision has a table of its limits', () => {
    const decisions = allPages().filter(({ path }) => path.startsWith('docs/adr/'));
    expect(decisions.map(({ path }) => path.slice(9, 13)).sort()).toEqual([
      '0001',
      '0002',
      '0003',
      '0004',
      '0005',
      '0006',
      '0007',
      '0008',
      '0010',
      '0011',
    ]);
    for (const { text } of decisions) expect(text).toMatch(/^\| limit|^\| setting|^\| what fails/m);
  });
});
