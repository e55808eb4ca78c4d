import { defineConfig, globalIgnores } from 'eslint/config'
import nextVitals from 'eslint-config-next/core-web-vitals'
import nextTypescript from 'eslint-config-next/typescript'

const noServerDirective = {
  selector: 'Program > ExpressionStatement > Literal[value="use server"]',
  message: 'Every export of a "use server" file is a public endpoint: wrap it in action() (ADR 0004).',
}

const noProcessEnv = {
  selector: 'MemberExpression[object.name="process"][property.name="env"]',
  message: 'Read the environment through lib/infra/env.ts.',
}

const noCurlyApostrophe = [
  'Literal[value=/\u2019/]',
  'TemplateElement[value.raw=/\u2019/]',
  'JSXText[value=/\u2019/]',
].map((selector) => ({ selector, message: 'Write a straight apostrophe (docs/voice.md).' }))

const noBareMaxLength = {
  selector: 'MemberExpression[object.name="z"][property.name="maxLength"]',
  message: 'Use maxCharacters() or maxItems() of lib/kernel/max-characters.ts, so that later checks see a short value.',
}

export default defineConfig([
  ...nextVitals,
  ...nextTypescript,
  globalIgnores(['.next/**', '.data/**', 'next-env.d.ts', 'shots/**', 'test-results/**', 'playwright-report/**']),
  {
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      'max-lines': ['error', { max: 260, skipBlankLines: true, skipComments: true }],
      // Prettier wraps code, but not comments. Types and commands in comments are indented and may be longer.
      'max-len': ['error', { code: 10_000, comments: 120, ignoreUrls: true, ignorePattern: '[{}]|^ *(\\*|//)   ' }],
      'no-console': 'error',
    },
  },
  {
    files: ['lib/**', 'app/**', 'components/**'],
    rules: { 'no-restricted-syntax': ['error', noServerDirective, noProcessEnv, noBareMaxLength] },
  },
  {
    // Screens and emails use straight apostrophes (docs/voice.md).
    files: ['lib/**', 'app/**', 'components/**'],
    ignores: ['**/*.test.{ts,tsx}', 'lib/artwork/**'],
    rules: {
      'no-restricted-syntax': ['error', noServerDirective, noProcessEnv, noBareMaxLength, ...noCurlyApostrophe],
    },
  },
  {
    // A function fits on one screen. Blank lines and comments count, because they also have to be read past.
    ignores: ['tests/**', '**/*.test.{ts,tsx,mjs}'],
    rules: { 'max-lines-per-function': ['error', { max: 80 }] },
  },
  {
    // Code takes the time from the database or the context, so that tests can set it (CONTRIBUTING.md).
    files: ['lib/**/*.ts'],
    ignores: ['lib/infra/clock.ts', 'lib/client/**', 'lib/sandbox/**', '**/*.test.ts'],
    rules: {
      'no-restricted-globals': ['error', { name: 'setInterval', message: 'Scheduled work lives in lib/jobs.' }],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Take the time from ctx.clock or the database.' },
      ],
    },
  },
  {
    // Where a browser forbids storage, even reading throws.
    files: ['app/**', 'components/**', 'lib/client/**'],
    ignores: ['lib/client/tab-storage.ts', 'lib/client/forget-this-browser.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'sessionStorage', message: 'Use lib/client/tab-storage.ts, which works where storage is forbidden.' },
      ],
    },
  },
  {
    // env.ts may read process.env, max-characters.ts wraps z.maxLength, and the files named actions.ts may hold server
    // actions. Every server action is wrapped in action() (ADR 0004).
    files: ['lib/infra/env.ts', 'lib/kernel/max-characters.ts', 'app/**/actions.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['tests/**', 'scripts/**', 'bench/**', 'prisma/**', 'lib/artwork/**', '**/*.test.ts'],
    rules: { 'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }], 'no-console': 'off' },
  },
])
