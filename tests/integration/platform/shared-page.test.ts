import { NextRequest } from 'next/server'
import { isSharedPage } from '@/lib/http/is-shared-page'
import { closeDatabase } from '@/lib/infra/db'

// Nothing listens on this port.
process.env.DATABASE_URL = 'postgresql://lastcall@127.0.0.1:1/lastcall'

afterAll(closeDatabase)

test('while the database is unavailable, no page is shared, and the middleware does not fail', async () => {
  expect(await isSharedPage(new NextRequest('http://localhost:3000/drop/mug'))).toBe(false)
})
