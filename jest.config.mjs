import { availableParallelism } from 'node:os'
import nextJest from 'next/jest.js'

const configureForNext = nextJest({ dir: './' })

// These packages are loaded as ES modules. Jest has to transform them, but next/jest would load them untransformed.
const ES_MODULES = [
  'file-type',
  'strtok3',
  'token-types',
  'uint8array-extras',
  '@tokenizer',
  '@borewit',
  'uqr',
  'croner',
  'otplib',
  '@otplib',
  '@scure',
  '@noble',
  '@react-email/render',
  '@seriousme/openapi-schema-validator',
]

/**
 * Returns the configuration of one project. Settings can only extend next/jest's list of packages that are not
 * transformed, so this function replaces the list afterwards.
 * @param {import('jest').Config} settings
 */
async function project(settings) {
  const config = await configureForNext({
    testEnvironment: 'node',
    ...settings,
    moduleNameMapper: {
      '^@/(.*)$': '<rootDir>/$1',
      // By default Jest would load the version for browsers.
      '^file-type$': '<rootDir>/node_modules/file-type/index.js',
      // The CommonJS version imports react-dom at run time, which Jest allows only in modules that it has transformed.
      '^@react-email/render$': '<rootDir>/node_modules/@react-email/render/dist/node/index.mjs',
    },
    modulePathIgnorePatterns: ['<rootDir>/.next/', '<rootDir>/.data/'],
  })()
  return {
    ...config,
    transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES.join('|')})/)`, '^.+\\.module\\.css$'],
  }
}

const config = async () => ({
  // Integration tests mostly wait for Postgres, for servers that start, and for delays of the stand-in for Stripe. With
  // its default, Jest would run only one file at a time on a machine with two cores.
  maxWorkers: Math.max(3, availableParallelism() - 1),
  // The limit is high because password hashing and image encoding are slow on a busy machine.
  testTimeout: 120_000,
  projects: [
    await project({
      displayName: 'unit',
      testMatch: [
        '<rootDir>/lib/**/*.test.ts',
        '<rootDir>/components/**/*.test.{ts,tsx}',
        '<rootDir>/tests/contract/{citations,named-places,plain-words,spelling,torture-mutants,vocabulary}.test.ts',
      ],
    }),
    await project({
      displayName: 'integration',
      testMatch: [
        '<rootDir>/tests/{integration,contract}/**/*.test.ts',
        '!**/contract/{citations,named-places,plain-words,spelling,torture-mutants,vocabulary}.test.ts',
      ],
      testEnvironment: '<rootDir>/tests/support/seeded-environment.ts',
      setupFilesAfterEnv: ['<rootDir>/tests/support/database.ts', '<rootDir>/tests/support/check-answers.ts'],
      globalSetup: '<rootDir>/tests/support/database-setup.mjs',
      globalTeardown: '<rootDir>/tests/support/database-teardown.mjs',
    }),
  ],
})

export default config
