// @ts-check

/** What every answer carries; the pages add no inline script of our own. */
async function securityHeaders() {
  const { contentSecurityPolicy } = await import('./lib/http/content-security-policy.mjs')
  const isProduction = process.env.NODE_ENV === 'production'
  return [
    { key: 'X-Content-Type-Options', value: 'nosniff' },
    // Browsers believe it over https only.
    { key: 'Strict-Transport-Security', value: 'max-age=31536000' },
    { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
    { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
    { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=(), payment=(self)' },
    { key: 'Content-Security-Policy', value: contentSecurityPolicy({ isProduction }) },
  ]
}

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  agentRules: false,
  // Every agent gets the preview tags in the head, not streamed after it (ADR 0040).
  htmlLimitedBots: /.*/,
  images: { unoptimized: true },
  // `npm run verify` and `npm test` check the types of everything, tests included; a start need not do it again.
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
  // A file of tracking numbers is the largest thing an action takes (lib/orders/schema.ts), three bytes a letter at most.
  experimental: { agentUpgrade: false, serverActions: { bodySizeLimit: '7mb' } },
  async headers() {
    const headers = await securityHeaders()
    // The page a script belongs to has said all of this: beside each of twenty small files it would be half of their bytes.
    const [isWhatItSays] = headers
    return [
      { source: '/((?!_next/static/).*)', headers },
      { source: '/_next/static/:path*', headers: isWhatItSays ? [isWhatItSays] : [] },
    ]
  },
}

module.exports = config
