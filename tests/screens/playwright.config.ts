import { defineConfig } from '@playwright/test'

const { CHROMIUM_PATH, CHROMIUM_SANDBOX, E2E_BASE_URL } = process.env

// `npm run shots -- --baseline` and `--compare` use this configuration. The pictures depend on the fonts and the
// browser of the machine, so they are not in the repository, and `npm test` does not compare them.
export default defineConfig({
  testDir: '.',
  testMatch: 'compare.spec.ts',
  outputDir: '../../shots/differences',
  snapshotPathTemplate: '../../shots/baseline/{arg}{ext}',
  workers: 1,
  timeout: 90_000,
  expect: { toHaveScreenshot: { maxDiffPixelRatio: 0.001, animations: 'disabled' } },
  reporter: [['list'], ['html', { outputFolder: '../../shots/report', open: 'never' }]],
  use: {
    baseURL: E2E_BASE_URL,
    launchOptions: { executablePath: CHROMIUM_PATH, chromiumSandbox: CHROMIUM_SANDBOX === '1' },
  },
})
