// UploadThing as far as we speak to it (protocol version 7), on a port of its own, in memory: presigned uploads from servers
// and browsers, signed reports of what has arrived, private and public reads, removal. It refuses what UploadThing refuses.
// tests/integration/uploads/uploadthing.test.ts holds it against UploadThing's own SDK.
import Busboy from '@fastify/busboy'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const APP_ID = 'standin1'
const API_KEY = 'sk_live_stand_in_0123456789'
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'PUT, HEAD, GET, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-expose-headers': 'x-ut-range-start, content-range',
}

const sign = (text) => `hmac-sha256=${createHmac('sha256', API_KEY).update(text).digest('hex')}`

function isSame(given, expected) {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * @returns {Promise<{
 *   url: string,
 *   env: { UPLOADTHING_TOKEN: string, UPLOADTHING_URL: string },
 *   objects: Map<string, { name: string, type: string, bytes: Buffer, acl: string, disposition: string }>,
 *   reports: { url: string, body: string, signature: string, status: number }[],
 *   sign: (body: string) => string,
 *   setReporting: (isOn: boolean) => void,
 *   setAway: (isAway: boolean) => void,
 *   stop: () => Promise<void>,
 * }>} `objects` by UploadThing's keys; `reports` are the callbacks it has made. `setReporting(false)`: they get lost.
 *   `setAway`: every connection is cut.
 */
export async function startUploadThing() {
  const objects = new Map()
  const callbacks = new Map()
  const reports = []
  let isReporting = true
  let isAway = false
  let url = ''

  const server = createServer((request, response) => {
    if (isAway) return void request.socket.destroy()
    answer(request, response).catch((error) => {
      if (!response.headersSent)
        response.writeHead(error.status ?? 500, { ...CORS, 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: error.message }))
    })
  })

  async function answer(request, response) {
    const { pathname, searchParams } = new URL(request.url, url)
    const json = (body) =>
      response.writeHead(200, { ...CORS, 'content-type': 'application/json' }).end(JSON.stringify(body))
    const call = `${request.method} ${pathname}`
    if (request.method === 'OPTIONS') return response.writeHead(204, CORS).end()
    if (call === 'POST /route-metadata') {
      const { fileKeys, callbackUrl, callbackSlug } = await readJson(request)
      for (const key of fileKeys) callbacks.set(key, `${callbackUrl}?slug=${callbackSlug}`)
      return json({ ok: true })
    }
    if (call === 'POST /callback-result') {
      await readJson(request)
      return json({ ok: true })
    }
    if (call === 'POST /v6/deleteFiles') {
      const { fileKeys } = await readJson(request)
      return json({ success: true, deletedCount: fileKeys.filter((key) => objects.delete(key)).length })
    }
    const [, read] = /^\/(?:f|a\/[^/]+)\/(.+)$/.exec(pathname) ?? []
    if (read && request.method === 'GET') return give(request, response, decodeURIComponent(read))
    const key = decodeURIComponent(pathname.slice(1))
    if (request.method === 'HEAD') return response.writeHead(204, { ...CORS, 'x-ut-range-start': '0' }).end()
    if (request.method === 'PUT') return json(await take(request, key, searchParams))
    throw refusal(404, 'no such door')
  }

  /** The signature covers the whole address before it. */
  function assertSigned(request) {
    const [signed, signature] = `${url}${request.url}`.split(/[?&]signature=/)
    if (!isSame(decodeURIComponent(signature ?? ''), sign(signed))) throw refusal(403, 'invalid signature')
    if (Number(new URL(signed).searchParams.get('expires')) < Date.now()) throw refusal(403, 'expired')
  }

  async function take(request, key, params) {
    assertSigned(request)
    if (params.get('x-ut-identifier') !== APP_ID) throw refusal(400, 'another app')
    const said = (name) => decodeURIComponent(params.get(name) ?? '')
    const file = await readForm(request)
    if (file.bytes.length !== Number(said('x-ut-file-size'))) throw refusal(400, 'the size is not what was signed')
    if (objects.has(key)) throw refusal(409, 'the key is taken')
    const acl = said('x-ut-acl') || 'public-read'
    const disposition = said('x-ut-content-disposition') || 'inline'
    objects.set(key, {
      name: said('x-ut-file-name'),
      type: said('x-ut-file-type'),
      bytes: file.bytes,
      acl,
      disposition,
    })
    const address = `${url}/a/${APP_ID}/${key}`
    const fileHash = createHash('md5').update(file.bytes).digest('hex')
    if (params.has('x-ut-slug')) {
      if (!callbacks.has(key)) throw refusal(400, 'the upload was not registered')
      const { name, type } = objects.get(key)
      const seen = { name, size: file.bytes.length, type, customId: null }
      // The browser does not wait for it.
      if (isReporting) void report(key, { ...seen, key, url: address, appUrl: address, ufsUrl: address, fileHash })
    }
    return { url: address, appUrl: address, ufsUrl: address, fileHash, serverData: null }
  }

  async function report(key, file) {
    const body = JSON.stringify({ status: 'uploaded', metadata: {}, file, origin: url })
    const signature = sign(body)
    const headers = {
      'content-type': 'application/json',
      'uploadthing-hook': 'callback',
      'x-uploadthing-signature': signature,
    }
    const callbackUrl = callbacks.get(key)
    const status = await fetch(callbackUrl, { method: 'POST', headers, body }).then(
      (response) => response.status,
      () => 0,
    )
    reports.push({ url: callbackUrl, body, signature, status })
  }

  function give(request, response, key) {
    const object = objects.get(key)
    if (!object) throw refusal(404, 'no such object')
    if (object.acl === 'private') assertSigned(request)
    const size = object.bytes.length
    const fileName = encodeURIComponent(object.name)
    const headers = {
      ...CORS,
      'content-type': object.type,
      'content-disposition': `${object.disposition}; filename="${fileName}"`,
    }
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    if (from === undefined) return response.writeHead(200, { ...headers, 'content-length': size }).end(object.bytes)
    const [start, end] = [Number(from), Math.min(to ? Number(to) : size - 1, size - 1)]
    if (start >= size) return response.writeHead(416, { ...CORS, 'content-range': `bytes */${size}` }).end()
    const part = object.bytes.subarray(start, end + 1)
    const range = { 'content-length': part.length, 'content-range': `bytes ${start}-${end}/${size}` }
    response.writeHead(206, { ...headers, ...range }).end(part)
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  // UploadThing's SDK speaks plain http only to a host with "local" in its name.
  url = `http://localhost:${server.address().port}`
  const token = Buffer.from(JSON.stringify({ apiKey: API_KEY, appId: APP_ID, regions: ['sea1'] })).toString('base64')
  return {
    url,
    env: { UPLOADTHING_TOKEN: token, UPLOADTHING_URL: url },
    objects,
    reports,
    sign,
    setReporting: (isOn) => (isReporting = isOn),
    setAway: (value) => (isAway = value),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function refusal(status, message) {
  return Object.assign(new Error(message), { status })
}

async function readJson(request) {
  if (request.headers['x-uploadthing-api-key'] !== API_KEY) throw refusal(401, 'wrong key')
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

/** The one part named "file". */
function readForm(request) {
  return new Promise((resolve, reject) => {
    const parser = new Busboy({ headers: request.headers })
    let found = null
    parser.on('file', (name, stream, fileName) => {
      const chunks = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => name === 'file' && (found = { fileName, bytes: Buffer.concat(chunks) }))
    })
    parser.on('error', reject)
    parser.on('finish', () => (found ? resolve(found) : reject(refusal(400, 'no file'))))
    request.on('aborted', () => reject(refusal(400, 'broken off')))
    request.pipe(parser)
  })
}
