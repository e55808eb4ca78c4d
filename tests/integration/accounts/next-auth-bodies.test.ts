// next-auth reads the body of a sign-out by itself, and would read one of any size into memory.
import { NextRequest } from 'next/server'
import { POST } from '@/app/api/auth/[...nextauth]/route'

const CHUNK_BYTES = 64 * 1024

/** Sends a sign-out with a body of many chunks, and counts how many of them are read. */
async function signOutWith(type: string, chunks: number) {
  let read = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (stream) => {
      read += 1
      stream.enqueue(new Uint8Array(CHUNK_BYTES).fill(97))
      if (read === chunks) stream.close()
    },
  })
  const headers = { 'content-type': type }
  const request = new NextRequest('http://localhost:3000/api/auth/signout', {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  })
  const answer = await POST(request, { params: Promise.resolve({ nextauth: ['signout'] }) })
  return { status: answer.status, code: ((await answer.json()) as { code: string }).code, read }
}

it.each(['application/x-www-form-urlencoded', 'application/json', 'text/plain'])(
  'refuses a sign-out with a large body of the type %s before all of it is in memory',
  async (type) => {
    const { read, ...refusal } = await signOutWith(type, 1_000)
    expect(refusal).toEqual({ status: 413, code: 'BODY_TOO_LARGE' })
    expect(read).toBeLessThan(5)
  },
)
