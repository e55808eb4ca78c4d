import { defineConfig, devices } from '@playwright/test'

// The server is started by scripts/test.mjs (npm test, npm run test:e2e), which also finds the browser.
const { E2E_BASE_URL, CHROMIUM_PATH, CHROMIUM_SANDBOX, CI } = process.env
const isRoot = process.getuid?.() === 0
const phone = devices['iPhone 13']

// These tests open no browser.
const OVER_HTTP = [
  'account-refusals',
  'contract-fields',
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
const ON_A_DESKTOP = [
  'accessibility-tree',
  'admin',
  'admin-search',
  'desktop',
  'keyboard',
  'without-javascript',
  'zoomed',
].map((name) => `**/${name}.spec.ts`)

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  forbidOnly: Boolean(CI),
  retries: 0,
  workers: 2,
  fullyParallel: true,
  // These limits are generous, because a busy machine is slow without anything being broken. The benchmarks measure
  // speed.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? 'test-results/report.json' }]],
  use: {
    baseURL: E2E_BASE_URL ?? 'http://localhost:3000',
    // Without a service worker, every navigation reaches the server. visitors.spec.ts tests the worker.
    serviceWorkers: 'block',
    // `npm run test:e2e -- --trace retain-on-failure` records traces, which makes the whole run about a tenth slower.
    trace: 'off',
    screenshot: 'only-on-failure',
    browserName: 'chromium',
    launchOptions: {
      executablePath: CHROMIUM_PATH,
      chromiumSandbox: CHROMIUM_SANDBOX ? CHROMIUM_SANDBOX === '1' : !isRoot,
      // Turns off QUIC and the browser's own traffic, because the tests do not need them and there may be no internet.
      args: ['--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
  },
  projects: [
    {
      name: 'phone',
      // Most tests run on a phone, because most buyers and sellers use one.
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
    { name: 'http', testMatch: OVER_HTTP },
  ],
})
