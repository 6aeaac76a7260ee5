import path from 'node:path';
import { defineConfig, globalIgnores } from 'eslint/config';
import boundaries from 'eslint-plugin-boundaries';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const ROOT = import.meta.dirname;

const lib = (type) => ({ type, pattern: `libs/${type}`, partialMatch: false });

const ELEMENTS = [
  ...['contracts', 'domain', 'store', 'broker', 'runtime', 'sdk'].map(lib),
  { type: 'app', pattern: 'apps/*', partialMatch: false, capture: ['app'] },
  { type: 'test', pattern: 'test', partialMatch: false },
  { type: 'bench', pattern: 'bench', partialMatch: false },
];

const from = (type, to) => ({ from: { element: { type } }, allow: to.map((target) => ({ to: target })) });
const libs = (...types) => ({ element: { type: types } });
const packages = (...source) => ({ module: { origin: 'external', source } });
const ANY_PACKAGE = { module: { origin: 'external' } };
const NODE = { module: { origin: 'core' } };
const ANY_LIB = libs('contracts', 'domain', 'store', 'broker', 'runtime', 'sdk');

/** Who may import what. Everything that is not listed is refused; inside one element imports are free. */
const ARROWS = [
  from('contracts', [packages('zod')]),
  from('domain', [libs('contracts'), packages('re2js'), { module: { origin: 'core', source: 'node:crypto' } }]),
  from('store', [libs('domain', 'contracts'), packages('typeorm', 'pg', 'reflect-metadata'), NODE]),
  from('broker', [libs('contracts'), packages('@nats-io/*', '@nestjs/common', '@nestjs/microservices', 'rxjs'), NODE]),
  from('runtime', [ANY_PACKAGE, NODE]),
  from('sdk', [libs('contracts'), packages('@nats-io/*'), NODE]),
  from('app', [ANY_LIB, ANY_PACKAGE, NODE]),
  { from: { element: { type: 'app', captured: { app: 'standalone' } } }, allow: { to: libs('app') } },
  from('test', [ANY_LIB, libs('app', 'test'), ANY_PACKAGE, NODE]),
  from('bench', [ANY_LIB, libs('app', 'test', 'bench'), ANY_PACKAGE, NODE]),
  {
    from: { file: { categories: 'spec' } },
    allow: [libs('test'), packages('fast-check', '@jest/globals'), NODE].map((to) => ({ to })),
  },
];

const FOCUSED_OR_SKIPPED = ['describe', 'it', 'test'].flatMap((object) =>
  ['only', 'skip', 'todo'].map((property) => ({ object, property, message: 'Every test runs.' })),
);

const GIVEN = 'Decisions are pure: take the time and chance from the caller.';

export default defineConfig(
  globalIgnores(['**/dist/', '**/node_modules/', '.holdline*/', 'test/vectors/']),
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', 300],
      'no-console': 'error',
      'no-debugger': 'error',
      'no-eval': 'error',
      'no-fallthrough': 'error',
      'no-new-func': 'error',
      'no-restricted-properties': ['error', ...FOCUSED_OR_SKIPPED],
      'no-self-assign': 'error',
      'no-self-compare': 'error',
      'no-sparse-arrays': 'error',
      'no-unreachable': 'error',
      'no-unsafe-finally': 'error',
      'no-useless-escape': 'error',
      'no-var': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'], location: 'start' }],
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'use-isnan': 'error',
      'valid-typeof': 'error',
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: ROOT } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      // A schema and its inferred type share a name.
      '@typescript-eslint/no-redeclare': 'off',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { boundaries },
    settings: {
      'boundaries/root-path': ROOT,
      'boundaries/elements': ELEMENTS,
      'boundaries/files': [{ category: 'spec', pattern: '**/*.{spec,e2e-spec}.ts' }],
      'boundaries/dependency-nodes': ['import', 'export', 'dynamic-import', 'require'],
      'boundaries/additional-dependency-nodes': [
        { selector: 'TSImportType > Literal', kind: 'type', name: 'import-type' },
        { selector: 'TSExternalModuleReference > Literal', kind: 'value', name: 'import-equals' },
      ],
      'boundaries/legacy-templates': false,
      'import/resolver': { [path.join(ROOT, 'test/lint/source-resolver.cjs')]: {} },
    },
    rules: {
      'boundaries/no-unknown-files': 'error',
      'boundaries/dependencies': [
        'error',
        { default: 'disallow', checkAllOrigins: true, checkUnknownLocals: true, policies: ARROWS },
      ],
    },
  },
  {
    files: ['libs/contracts/**/*.ts', 'libs/domain/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['performance', 'process', 'crypto', 'fetch', 'globalThis', 'global'].map((name) => ({
          name,
          message: GIVEN,
        })),
        ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'].map((name) => ({ name, message: GIVEN })),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: GIVEN },
        { object: 'Math', property: 'random', message: GIVEN },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: GIVEN },
        { selector: 'CallExpression[callee.name="Date"]', message: GIVEN },
        { selector: 'ImportExpression', message: 'Import statically, so that the arrows can be checked.' },
      ],
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'node:crypto', allowImportNames: ['createHash', 'hash'], message: GIVEN }] },
      ],
    },
  },
  {
    files: ['apps/console/src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: ['bench/**/*.ts', 'examples/**/*.mjs', 'scripts/**/*.mjs'],
    rules: { 'no-console': 'off' },
  },
);
