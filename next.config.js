// @ts-check

/** The headers of every answer. */
async function securityHeaders() {
  const { contentSecurityPolicy } = await import('./lib/http/content-security-policy.mjs')
  const isProduction = process.env.NODE_ENV === 'production'
  return [
    { key: 'X-Content-Type-Options', value: 'nosniff' },
    // Browsers obey it over https only.
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
  // Next streams the tags of <head> after it except to agents that match this. Link previews and search engines read the head.
  htmlLimitedBots: /.*/,
  images: { unoptimized: true },
  // `npm run verify` and `npm test` check the types of everything, tests included, so that a build need not.
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
  // The largest input of a server action is a file of tracking numbers (lib/orders/schema.ts), at most three bytes a letter.
  experimental: { agentUpgrade: false, serverActions: { bodySizeLimit: '7mb' } },
  async headers() {
    const headers = await securityHeaders()
    // The page that loads a static file has sent these headers. On each of twenty small files they would be half of the bytes.
    const [isWhatItSays] = headers
    return [
      { source: '/((?!_next/static/).*)', headers },
      { source: '/_next/static/:path*', headers: isWhatItSays ? [isWhatItSays] : [] },
    ]
  },
}

module.exports = config
