import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

const folder = new URL('./', import.meta.url);
const recorded = new URL('./contract-hashes.json', import.meta.url);

const WHAT_TO_DO = `
Channels, agents and operators' programs are written against these names and shapes.
- Not intended? Undo it.
- Intended and compatible (a new optional field, message, method, event or error word)? Describe it in the docs,
  then record it: UPDATE_CONTRACT_HASHES=1 npm test -- libs/contracts/contract-hashes.spec.ts
- Intended and not compatible (a field removed, renamed, made required, or given a narrower type; another code,
  subject or limit)? Add a new optional field or a new method beside the old one instead.`;

/** Schemas become their JSON Schema, functions nothing, all the rest itself. */
function rendered(_: string, value: unknown): unknown {
  if (!(value instanceof z.ZodType)) return value;
  return { reads: z.toJSONSchema(value, { io: 'input' }), writes: z.toJSONSchema(value, { io: 'output' }) };
}

async function exportsOfTheContract(): Promise<[string, unknown][]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
  const modules = await Promise.all(
    files.map(async (name) => Object.entries((await import(`./${name.replace(/\.ts$/, '.js')}`)) as object)),
  );
  return modules.flat().filter(([, value]) => typeof value !== 'function');
}

async function currentHashes(): Promise<Record<string, string>> {
  const hashes = (await exportsOfTheContract()).map(([name, value]) => {
    const hash = createHash('sha256').update(JSON.stringify(value, rendered)).digest('hex');
    return [name, hash.slice(0, 16)] as const;
  });
  return Object.fromEntries(hashes.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function differences(before: Record<string, string>, now: Record<string, string>): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  return names.flatMap((name) => {
    if (before[name] === now[name]) return [];
    if (before[name] === undefined) return [`${name} is new`];
    return [now[name] === undefined ? `${name} is gone` : `${name} is different`];
  });
}

test('the contract is the recorded one', async () => {
  const now = await currentHashes();
  if (process.env['UPDATE_CONTRACT_HASHES'] === '1') writeFileSync(recorded, `${JSON.stringify(now, null, 2)}\n`);
  const before = JSON.parse(readFileSync(recorded, 'utf8')) as Record<string, string>;
  const changes = differences(before, now);
  if (changes.length > 0) throw new Error(`The contract changed: ${changes.join(', ')}.${WHAT_TO_DO}`);
});

test('a change of a field, a code or a limit changes its hash', () => {
  const hashOf = (value: unknown) => JSON.stringify(value, rendered);
  expect(hashOf(z.object({ a: z.string() }))).not.toBe(hashOf(z.object({ a: z.string().max(5) })));
  expect(hashOf({ m: { params: z.object({}) } })).not.toBe(hashOf({ m: { params: z.object({ a: z.int() }) } }));
  expect(differences({ a: '1', b: '1', c: '1' }, { a: '1', b: '2', d: '1' })).toStrictEqual([
    'b is different',
    'c is gone',
    'd is new',
  ]);
});
