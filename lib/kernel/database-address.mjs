// Addresses of databases (postgresql://…) as operators get them from their providers. The driver understands sslmode in
// its own way; here it means what it means to libpq, psql and every provider's manual:
//   disable      no TLS
//   allow, prefer  TLS without a check of the certificate, if the server has it (settleSslMode looks)
//   require      TLS without a check of the certificate, unless sslrootcert is given
//   verify-ca    TLS, and the certificate is signed by the authority in sslrootcert
//   verify-full  TLS, and the certificate is valid for the host; sslrootcert may name the authority

/**
 * An address in the driver's terms.
 * @param {string} databaseUrl
 */
export function driverAddress(databaseUrl) {
  const url = new URL(databaseUrl)
  const { searchParams } = url
  // The driver would read a file of that name. Its own list of authorities is used instead.
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
 * Whether an address declares a connection pooler in transaction mode, with the parameter that Prisma has for it.
 * @param {string} databaseUrl
 */
export function saysPooler(databaseUrl) {
  return new URL(databaseUrl).searchParams.get('pgbouncer') === 'true'
}

/**
 * The host and port of an address, for messages: no password.
 * @param {string} databaseUrl
 */
export function placeOf(databaseUrl) {
  const { hostname, port, searchParams } = new URL(databaseUrl)
  return `${searchParams.get('host') ?? hostname}:${searchParams.get('port') ?? (port || '5432')}`
}
