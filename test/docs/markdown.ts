import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PROJECT_ROOT } from '../harness/project-root.js';

/** A page of the documentation. */
export interface Page {
  /** Relative to the project's directory. */
  path: string;
  text: string;
}

/** The README and every page under docs/. */
export function allPages(): Page[] {
  const pages = readdirSync(join(PROJECT_ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  return ['README.md', ...pages.filter((path) => path.endsWith('.md')).map((path) => join('docs', path))].map(readPage);
}

export function readPage(path: string): Page {
  return { path, text: readFileSync(join(PROJECT_ROOT, path), 'utf8') };
}

export function isThere(path: string): boolean {
  return existsSync(join(PROJECT_ROOT, path));
}

/** The contents of the fenced blocks of one language, in order. */
export function codeBlocks({ text }: Page, language: string): string[] {
  const fenced = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
  return [...text.matchAll(fenced)].map(([, code]) => code as string);
}

/** The first cells of the rows of the tables under a heading, without their backticks; several names are split. */
export function firstCells({ text }: Page, heading: string): string[] {
  const section = text.split(/^(?=#+ )/m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`There is no heading ${heading}.`);
  const rows = section.split('\n').filter((line) => /^\| `/.test(line));
  return rows.flatMap((row) =>
    [...(row.split('|')[1] as string).matchAll(/`([^`]+)`/g)].map(([, name]) => name as string),
  );
}
