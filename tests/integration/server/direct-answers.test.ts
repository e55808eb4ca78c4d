import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { directCalls } from '@/lib/kernel/direct-calls.mjs'
import { answerDirectly } from '@/lib/server/answer-directly.mjs'

const PATH = '/direct-answers-test'

/**
 * Sends one POST to a server that sets `Connection: close`, as lib/server/start-web-server.mjs does while it closes.
 */
async function postWhileClosing(call: Parameters<ReturnType<typeof directCalls>['set']>[1]): Promise<Response> {
  directCalls().set(PATH, call)
  const handle = answerDirectly((_request, response) => void response.writeHead(404).end())
  const server = createServer((request, response) => {
    response.setHeader('Connection', 'close')
    void handle(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    return await fetch(`http://127.0.0.1:${port}${PATH}`, { method: 'POST', body: '{}' })
  } finally {
    directCalls().delete(PATH)
    server.close()
  }
}

it('sends every cookie of a response while the server is closing', async () => {
  const answer = await postWhileClosing(() =>
    Promise.resolve({
      status: 200,
      headers: [
        ['set-cookie', 'lastcall-buyer=a'],
        ['set-cookie', 'lastcall-checkout=b'],
      ],
      body: '{}',
    }),
  )
  expect(answer.headers.getSetCookie()).toEqual(['lastcall-buyer=a', 'lastcall-checkout=b'])
  expect(answer.headers.get('connection')).toBe('close')
})

it('returns 500 when a call fails outside of its handler', async () => {
  const answer = await postWhileClosing(() => Promise.reject(new Error('broken')))
  expect(answer.status).toBe(500)
})
