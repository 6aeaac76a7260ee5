import path from 'node:path';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const ROOT = path.resolve(import.meta.dirname, '../..');

const eslint = new ESLint({
  cwd: ROOT,
  overrideConfig: [{ files: ['**/*.ts'], ...(tseslint.configs.disableTypeChecked as object) }],
});

async function rulesBrokenBy(filePath: string, code: string): Promise<string[]> {
  const results = await eslint.lintText(`${code}\n`, { filePath: path.join(ROOT, filePath) });
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => ruleId ?? message));
}

const importing = (source: string) => `import { thing } from '${source}';\nexport const used = thing;`;

const ALLOWED = [
  ['libs/contracts/turn.ts', 'zod'],
  ['libs/contracts/turn.ts', './entry.js'],
  ['libs/contracts/turn.spec.ts', 'fast-check'],
  ['libs/contracts/turn.spec.ts', 'node:fs'],
  ['libs/domain/conversation/decide.ts', '#contracts/turn.js'],
  ['libs/domain/conversation/decide.ts', '../people/roster.js'],
  ['libs/domain/redaction/rules.ts', 're2js'],
  ['libs/store/queries/lock.ts', '#domain/conversation/decide.js'],
  ['libs/store/queries/lock.ts', '#contracts/turn.js'],
  ['libs/store/queries/lock.ts', 'typeorm'],
  ['libs/store/queries/lock.ts', 'pg'],
  ['libs/store/queries/lock.pg.spec.ts', '../../../test/harness/database.js'],
  ['libs/broker/connection.ts', '#contracts/turn.js'],
  ['libs/broker/connection.ts', '@nats-io/transport-node'],
  ['libs/broker/json-rpc-server.ts', '@nestjs/microservices'],
  ['libs/runtime/logger.ts', 'pino'],
  ['libs/sdk/operator-client.ts', '#contracts/turn.js'],
  ['libs/sdk/operator-client.ts', '@nats-io/nats-core'],
  ['libs/sdk/agent-worker.nats.spec.ts', '../../test/harness/broker.js'],
  ['apps/conversations/src/main.ts', '#store/transaction.js'],
  ['apps/conversations/src/main.ts', '#broker/connection.js'],
  ['apps/conversations/src/main.ts', '#runtime/config.js'],
  ['apps/conversations/src/main.ts', './handlers/pause.js'],
  ['apps/playground/src/run.ts', '#sdk/agent-worker.js'],
  ['apps/standalone/src/main.ts', '../../conversations/src/conversations.module.js'],
  ['test/flows/pause.e2e-spec.ts', '../harness/boot.js'],
  ['test/harness/boot.ts', '../../apps/standalone/src/standalone.js'],
] as const;

const REFUSED = [
  ['libs/contracts/turn.ts', '#domain/conversation/decide.js'],
  ['libs/contracts/turn.ts', '@nestjs/common'],
  ['libs/contracts/turn.ts', 'node:fs'],
  ['libs/contracts/turn.spec.ts', '#store/transaction.js'],
  ['libs/domain/conversation/decide.ts', '#store/transaction.js'],
  ['libs/domain/conversation/decide.ts', '../../store/transaction.js'],
  ['libs/domain/conversation/decide.ts', '#broker/connection.js'],
  ['libs/domain/conversation/decide.ts', '#runtime/logger.js'],
  ['libs/domain/conversation/decide.ts', '@nestjs/common'],
  ['libs/domain/conversation/decide.ts', 'typeorm'],
  ['libs/domain/conversation/decide.ts', '@nats-io/nats-core'],
  ['libs/domain/conversation/decide.ts', 'zod'],
  ['libs/domain/conversation/decide.ts', 'node:fs'],
  ['libs/domain/conversation/decide.ts', 'node:timers/promises'],
  ['libs/store/queries/lock.ts', '#broker/connection.js'],
  ['libs/store/queries/lock.ts', '#runtime/logger.js'],
  ['libs/store/queries/lock.ts', '@nats-io/nats-core'],
  ['libs/broker/connection.ts', '#store/transaction.js'],
  ['libs/broker/connection.ts', '#domain/conversation/decide.js'],
  ['libs/broker/connection.ts', 'pg'],
  ['libs/runtime/logger.ts', '#contracts/turn.js'],
  ['libs/sdk/operator-client.ts', '#domain/conversation/decide.js'],
  ['libs/sdk/operator-client.ts', '#broker/connection.js'],
  ['libs/sdk/operator-client.ts', '#runtime/logger.js'],
  ['libs/sdk/operator-client.ts', '@nestjs/common'],
  ['libs/broker/connection.ts', '#sdk/operator-client.js'],
  ['libs/domain/conversation/decide.ts', '#sdk/operator-client.js'],
  ['libs/store/queries/lock.ts', '../../../apps/setup/src/main.js'],
  ['libs/store/queries/lock.ts', '../../../test/harness/database.js'],
  ['libs/store/queries/lock.ts', '../../../scripts/start.mjs'],
  ['apps/conversations/src/main.ts', '../../playground/src/main.js'],
  ['apps/conversations/src/main.ts', '../../standalone/src/main.js'],
  ['apps/conversations/src/main.ts', '../../../test/harness/boot.js'],
] as const;

describe('The dependency arrows', () => {
  it.each(ALLOWED)('let %s import %s', async (file, source) => {
    expect(await rulesBrokenBy(file, importing(source))).toEqual([]);
  });

  it.each(REFUSED)('keep %s from importing %s', async (file, source) => {
    expect(await rulesBrokenBy(file, importing(source))).toEqual(['boundaries/dependencies']);
  });

  it.each([
    ['a type import', "import type { Thing } from '#store/thing.js';\nexport type Used = Thing;"],
    ['a re-export', "export * from '#store/thing.js';"],
    ['a named re-export', "export { thing } from '#store/thing.js';"],
    ['a dynamic import', "export const thing = import('#store/thing.js');"],
    ['an import for its effect', "import '#store/thing.js';"],
    ['an import type', "export type Thing = import('#store/thing.js').Thing;"],
  ])('see %s', async (_form, code) => {
    expect(await rulesBrokenBy('libs/broker/connection.ts', code)).toContain('boundaries/dependencies');
  });

  it('refuse a file outside every known part of the tree', async () => {
    expect(await rulesBrokenBy('libs/common/helpers.ts', 'export const thing = 1;')).toEqual([
      'boundaries/no-unknown-files',
    ]);
  });
});

describe('The contracts and the domain', () => {
  const file = 'libs/domain/conversation/decide.ts';

  it.each([
    ['Date.now()', 'no-restricted-properties'],
    ['new Date()', 'no-restricted-syntax'],
    ['Date()', 'no-restricted-syntax'],
    ['Math.random()', 'no-restricted-properties'],
    ['performance.now()', 'no-restricted-globals'],
    ['setTimeout(String, 5)', 'no-restricted-globals'],
    ['crypto.randomUUID()', 'no-restricted-globals'],
    ['process.env', 'no-restricted-globals'],
  ])('cannot take %s', async (expression, rule) => {
    expect(await rulesBrokenBy(file, `export const taken = ${expression};`)).toEqual([rule]);
    expect(await rulesBrokenBy('libs/contracts/turn.ts', `export const taken = ${expression};`)).toEqual([rule]);
  });

  it('may hash, and may turn given milliseconds into a date', async () => {
    expect(await rulesBrokenBy(file, importing('node:crypto').replaceAll('thing', 'createHash'))).toEqual([]);
    expect(await rulesBrokenBy(file, 'export const at = (ms: number) => new Date(ms);')).toEqual([]);
  });

  it('cannot draw identifiers from node:crypto', async () => {
    const code = importing('node:crypto').replaceAll('thing', 'randomUUID');
    expect(await rulesBrokenBy(file, code)).toEqual(['no-restricted-imports']);
  });
});

describe('Every test', () => {
  it.each(['it.only', 'it.skip', 'describe.skip', 'test.todo'])('runs, so %s is refused', async (call) => {
    const code = `${call}('does something', () => undefined);`;
    expect(await rulesBrokenBy('libs/domain/text/a.spec.ts', code)).toEqual(['no-restricted-properties']);
  });
});
