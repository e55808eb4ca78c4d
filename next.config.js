// @ts-check

/** The headers of every answer. */
async function securityHeaders() {
  const { contentSecurityPolicy } = await import('./lib/http/content-security-policy.mjs')
  const isProduction = process.env.NODE_ENV === 'production'
  return [
    { key: 'X-Content-Type-Options', value: 'nosniff' },
    // Browsers follow this header over https only.
    { key: 'Strict-Transport-Security', value: 'max-age=31536000' },
    { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
    { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
    { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=(), payment=(self)' },
    { key: 'Content-Security-Policy', value: contentSecurityPolicy({ isProduction }) },
  ]
}

/** Files that lib/infra/glyphs.ts chooses by the letters of a title, so that Next cannot find them in the code. */
const letters = [
  'node_modules/@fontsource-variable/noto-sans*/unicode.json',
  'node_modules/@fontsource-variable/noto-sans*/files/*-wght-normal.woff2',
  'node_modules/@twemoji/svg/*.svg',
]

/** @type {import('next').NextConfig} */
const config = {
  // `npm run build -- --standalone`: the application with only the files that it needs (docs/hosting.md#a-copy-without-the-project).
  output: process.env.BUILD_STANDALONE === '1' ? 'standalone' : undefined,
  outputFileTracingRoot: __dirname,
  outputFileTracingIncludes: { '/**/*-image': letters },
  poweredByHeader: false,
  reactStrictMode: true,
  agentRules: false,
  // By default Next streams the metadata after <head>, except to user agents that match this. Link previews and search
  // engines read only the head, so every agent matches (ADR 0040).
  htmlLimitedBots: /.*/,
  images: { unoptimized: true },
  // `npm run verify` and `npm test` check the types of all files, tests included, so the build does not repeat it (ADR
  // 0038).
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
  // The largest input of a server action is a file with tracking numbers (lib/orders/schema.ts), at most three bytes
  // per character.
  experimental: { agentUpgrade: false, serverActions: { bodySizeLimit: '7mb' } },
  async headers() {
    const headers = await securityHeaders()
    // The page that loads a static file has already sent these headers. Repeating them on twenty small files would
    // double their size.
    const [isWhatItSays] = headers
    return [
      { source: '/((?!_next/static/).*)', headers },
      { source: '/_next/static/:path*', headers: isWhatItSays ? [isWhatItSays] : [] },
    ]
  },
}

module.exports = config
