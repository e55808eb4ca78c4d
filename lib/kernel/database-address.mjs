// Reads database URLs (postgresql://…) as operators get them from their providers. The driver interprets sslmode in its
// own way, unlike libpq, psql and the manuals of the providers. Here sslmode has the meanings that it has in libpq:
//   disable      no TLS
//   allow, prefer  TLS without a check of the certificate, if the server has it (settleSslMode looks)
//   require      TLS without a check of the certificate, unless sslrootcert is given
//   verify-ca    TLS, and the certificate is signed by the authority in sslrootcert
//   verify-full  TLS, and the certificate is valid for the host; sslrootcert may name the authority

/**
 * Rewrites a database URL so that the driver interprets it as libpq would.
 * @param {string} databaseUrl
 */
export function driverAddress(databaseUrl) {
  const url = new URL(databaseUrl)
  const { searchParams } = url
  // The driver would look for a file named system. Node's own list of authorities is used instead.
  if (searchParams.get('sslrootcert') === 'system') {
    searchParams.delete('sslrootcert')
    searchParams.set('sslmode', 'verify-full')
  }
  const mode = searchParams.get('sslmode')
  if (mode === 'allow') searchParams.set('sslmode', 'prefer')
  if (mode !== null && mode !== 'no-verify') searchParams.set('uselibpqcompat', 'true')
  return url.href
}

/**
 * Whether a database URL declares a connection pooler in transaction mode with Prisma's parameter `pgbouncer=true`.
 * @param {string} databaseUrl
 */
export function saysPooler(databaseUrl) {
  return new URL(databaseUrl).searchParams.get('pgbouncer') === 'true'
}

/**
 * Returns the host and port of a database URL for messages, which must not contain the password.
 * @param {string} databaseUrl
 */
export function placeOf(databaseUrl) {
  const { hostname, port, searchParams } = new URL(databaseUrl)
  return `${searchParams.get('host') ?? hostname}:${searchParams.get('port') ?? (port || '5432')}`
}
