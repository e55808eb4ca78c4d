import { isDatabaseUnavailable } from './database-errors'

// Messages of pgbouncer 1.18, as the drivers pass them on.
test.each([
  [{ code: '08P01', message: 'server conn crashed?' }],
  [{ code: 'P2010', message: 'Raw query failed. Code: `08P01`. Message: `invalid server parameter`' }],
  [{ code: '08P01', message: 'server login has been failing, try again later (server_login_retry)' }],
  [{ code: '08P01', message: 'query_wait_timeout' }],
  [{ code: '08P01', message: 'no more connections allowed (max_client_conn)' }],
])('an error of a pooler that has no connection to the database counts as an unavailable database: %j', (error) => {
  expect(isDatabaseUnavailable(error)).toBe(true)
  expect(isDatabaseUnavailable({ cause: error })).toBe(true)
})

test.each(['EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'])('%s counts as an unavailable database', (code) => {
  expect(isDatabaseUnavailable({ code, message: `connect ${code}` })).toBe(true)
})

test('a statement with the wrong number of parameters has the same code, but is not an unavailable database', () => {
  const message = 'bind message supplies 1 parameters, but prepared statement "" requires 2'
  expect(isDatabaseUnavailable({ code: '08P01', message })).toBe(false)
})

// `could not extend file: No space left on device`, an input/output error, and a write to a read-only database.
test.each(['53100', '58030', '25006'])('the code %s of Postgres counts as an unavailable database', (code) => {
  expect(isDatabaseUnavailable({ code })).toBe(true)
})
