// @ts-check

/** Files that lib/infra/glyphs.ts chooses by the letters of a title. Next cannot find them by tracing imports. */
const letters = [
  'node_modules/@fontsource-variable/noto-sans*/unicode.json',
  'node_modules/@fontsource-variable/noto-sans*/files/*-wght-normal.woff2',
  'node_modules/@twemoji/svg/*.svg',
]

/** @type {import('next').NextConfig} */
const config = {
  // `npm run build -- --standalone` builds a copy with only the files that the application needs
  // (docs/hosting.md#a-copy-without-the-project).
  output: process.env.BUILD_STANDALONE === '1' ? 'standalone' : undefined,
  outputFileTracingRoot: __dirname,
  outputFileTracingIncludes: { '/**/*-image': letters },
  poweredByHeader: false,
  reactStrictMode: true,
  agentRules: false,
  // By default Next streams the metadata after <head>, except to user agents that match this pattern. Link previews and
  // search engines read only the head, so the pattern matches every agent (ADR 0040).
  htmlLimitedBots: /.*/,
  images: { unoptimized: true },
  // `npm run verify` and `npm test` check the types of all files, tests included, so the build does not repeat this
  // check (ADR 0038).
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    'pg',
    '@prisma/client',
    '@prisma/adapter-pg',
    'sharp',
    '@node-rs/argon2',
    'pino',
    'rate-limiter-flexible',
    '@react-email/components',
    '@react-email/render',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace-node',
    'harfbuzzjs',
    'uploadthing',
    'wawoff2',
  ],
  // preloadEntriesOnStart: a page or route is loaded when it is first requested, because all of them together take more
  // memory than most processes ever need. bodySizeLimit: the largest input of a server action is a file with tracking
  // numbers (lib/shipping/schema.ts), with at most three bytes per character. Every other action may have 64 KiB
  // (lib/kernel/large-body-path.mjs).
  experimental: { agentUpgrade: false, preloadEntriesOnStart: false, serverActions: { bodySizeLimit: '7mb' } },
  async headers() {
    const { PAYMENT_PAGES } = await import('./lib/http/content-security-policy.mjs')
    const { securityHeaders } = await import('./lib/http/security-headers.mjs')
    const isProduction = process.env.NODE_ENV === 'production'
    const headers = securityHeaders({ isPayment: false, isProduction })
    // The page that loads a static file has already sent these headers. Repeating them on twenty small files would
    // double their size.
    const [noSniff] = headers
    return [
      { source: '/((?!_next/static/).*)', headers },
      // If several sources match, the last one wins.
      { source: PAYMENT_PAGES, headers: securityHeaders({ isPayment: true, isProduction }) },
      { source: '/_next/static/:path*', headers: noSniff ? [noSniff] : [] },
    ]
  },
}

module.exports = config
