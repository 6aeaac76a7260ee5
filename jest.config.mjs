/** Specs run from the TypeScript sources, as native ES modules. */
export default {
  rootDir: '.',
  testEnvironment: 'node',
  testTimeout: 60_000,
  testMatch: ['<rootDir>/{apps,libs,test}/**/*.{spec,e2e-spec}.ts'],
  globalSetup: '<rootDir>/test/harness/global-setup.mjs',
  globalTeardown: '<rootDir>/test/harness/global-teardown.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
      },
    ],
  },
  moduleNameMapper: {
    '^#(contracts|domain|store|broker|runtime|sdk)/(.*)\\.js$': '<rootDir>/libs/$1/$2.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.holdline'],
};
