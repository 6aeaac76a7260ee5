import { readFile, writeFile } from 'node:fs/promises';

import { format, resolveConfig } from 'prettier';

const PAGE = 'docs/performance.md';
const BEGIN = '<!-- bench:begin -->';
const END = '<!-- bench:end -->';

/** Replaces the marked section of docs/performance.md. Throws when the page has lost its marks. */
export async function writePerformancePage(section: string): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`${PAGE} has no section between ${BEGIN} and ${END}.`);
  const updated = `${page.slice(0, begin + BEGIN.length)}\n\n${section}\n\n${page.slice(end)}`;
  await writeFile(PAGE, await format(updated, { ...(await resolveConfig(PAGE)), filepath: PAGE }));
}
