import { defineConfig, devices } from '@playwright/test'

// The server is started by scripts/test.mjs (npm test, npm run test:e2e), which also finds the browser.
const { E2E_BASE_URL, CHROMIUM_PATH, CHROMIUM_SANDBOX, CI } = process.env
const isRoot = process.getuid?.() === 0
const phone = devices['iPhone 13']

// No browser is opened for these.
const OVER_HTTP = [
  'account-refusals',
  'crowd',
  'drop-refusals',
  'form-refusals',
  'media',
  'money',
  'page-posts',
  'preview-image',
  'refusals',
  'webhook-refusals',
  'sessions',
  'uploads',
].map((name) => `**/${name}.spec.ts`)
const ON_A_DESKTOP = ['admin', 'desktop'].map((name) => `**/${name}.spec.ts`)

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  forbidOnly: Boolean(CI),
  retries: 0,
  workers: 2,
  fullyParallel: true,
  // These limits are generous, because a busy machine is slow without anything being broken. The benchmarks measure speed.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? 'test-results/report.json' }]],
  use: {
    baseURL: E2E_BASE_URL ?? 'http://localhost:3000',
    // Every navigation reaches the server, without a service worker between; visitors.spec.ts tests the worker.
    serviceWorkers: 'block',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    browserName: 'chromium',
    launchOptions: {
      executablePath: CHROMIUM_PATH,
      chromiumSandbox: CHROMIUM_SANDBOX ? CHROMIUM_SANDBOX === '1' : !isRoot,
      // Turns off the browser's own traffic: there may be no internet, and the tests need none of it.
      args: ['--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
  },
  projects: [
    {
      name: 'phone',
      // Buyers and sellers are on phones.
      testIgnore: [...OVER_HTTP, ...ON_A_DESKTOP],
      use: {
        viewport: { width: 390, height: 844 },
        userAgent: phone.userAgent,
        deviceScaleFactor: phone.deviceScaleFactor,
        isMobile: true,
        hasTouch: true,
      },
    },
    { name: 'desktop', testMatch: ON_A_DESKTOP, use: { viewport: { width: 1280, height: 800 } } },
    // Over HTTP alone: no browser is opened.
    { name: 'http', testMatch: OVER_HTTP },
  ],
})
