// An in-memory server that replaces UploadThing in tests (protocol version 7). It supports presigned uploads by
// servers and browsers, signed callbacks about finished uploads, private and public downloads, and deletion. It refuses
// wrong signatures, expired URLs, files whose size differs from the announced one, and keys that are already in use.
// tests/integration/uploads/uploadthing.test.ts runs UploadThing's own SDK against this server.
import Busboy from '@fastify/busboy'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { AddressInfo } from 'node:net'
 *
 * @typedef {{ name: string, type: string, bytes: Buffer, acl: string, disposition: string }} StoredObject
 * @typedef {{ url: string, body: string, signature: string, status: number }} Report a callback that was sent. The
 *   status 0 means that there was no response.
 */

const APP_ID = 'standin1'
const API_KEY = 'sk_live_stand_in_0123456789'
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'PUT, HEAD, GET, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-expose-headers': 'x-ut-range-start, content-range',
}

const sign = (/** @type {string} */ text) => `hmac-sha256=${createHmac('sha256', API_KEY).update(text).digest('hex')}`

/**
 * @param {string | undefined} given
 * @param {string} expected
 */
function isSame(given, expected) {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * @returns {Promise<{
 *   url: string,
 *   env: { UPLOADTHING_TOKEN: string, UPLOADTHING_URL: string },
 *   objects: Map<string, StoredObject>,
 *   reports: Report[],
 *   confirmed: string[],
 *   sign: (body: string) => string,
 *   setReporting: (isOn: boolean) => void,
 *   setAway: (isAway: boolean) => void,
 *   stop: () => Promise<void>,
 * }>} `objects` maps UploadThing's keys to stored files. `confirmed` lists the keys for which the application confirmed
 *   the callback. After `setReporting(false)` no callbacks are sent. After `setAway(true)` every connection is closed
 *   without a response.
 */
export async function startUploadThing() {
  /** @type {Map<string, StoredObject>} */
  const objects = new Map()
  /** @type {Map<string, string>} the callback URL of each key */
  const callbacks = new Map()
  /** @type {Report[]} */
  const reports = []
  /** @type {string[]} */
  const confirmed = []
  let isReporting = true
  let isAway = false
  let url = ''

  const server = createServer((request, response) => {
    if (isAway) return void request.socket.destroy()
    handle(request, response).catch((error) => {
      if (!response.headersSent)
        response.writeHead(error.status ?? 500, { ...CORS, 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: error.message }))
    })
  })

  /**
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   */
  async function handle(request, response) {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    const json = (/** @type {object} */ body) =>
      response.writeHead(200, { ...CORS, 'content-type': 'application/json' }).end(JSON.stringify(body))
    const call = `${request.method} ${pathname}`
    if (request.method === 'OPTIONS') return response.writeHead(204, CORS).end()
    if (call === 'POST /route-metadata') {
      /** @type {{ fileKeys: string[], callbackUrl: string, callbackSlug: string }} */
      const { fileKeys, callbackUrl, callbackSlug } = await readJson(request)
      for (const key of fileKeys) callbacks.set(key, `${callbackUrl}?slug=${callbackSlug}`)
      return json({ ok: true })
    }
    if (call === 'POST /callback-result') {
      /** @type {{ fileKey: string }} */
      const { fileKey } = await readJson(request)
      confirmed.push(fileKey)
      return json({ ok: true })
    }
    if (call === 'POST /v6/deleteFiles') {
      /** @type {{ fileKeys: string[] }} */
      const { fileKeys } = await readJson(request)
      return json({ success: true, deletedCount: fileKeys.filter((key) => objects.delete(key)).length })
    }
    const [, read] = /^\/(?:f|a\/[^/]+)\/(.+)$/.exec(pathname) ?? []
    if (read && request.method === 'GET') return serveObject(request, response, decodeURIComponent(read))
    const key = decodeURIComponent(pathname.slice(1))
    // The browser asks where to resume an upload. No file is stored in part, so an upload starts at 0.
    if (request.method === 'HEAD') return response.writeHead(204, { ...CORS, 'x-ut-range-start': '0' }).end()
    if (request.method === 'PUT') return json(await storeUpload(request, key, searchParams))
    throw refusal(404, 'no such endpoint')
  }

  /**
   * Throws 403 unless the URL has a valid signature and has not expired. The signature is the last query parameter
   * and covers everything before it.
   * @param {IncomingMessage} request
   */
  function assertSigned(request) {
    const [signed = '', signature] = `${url}${request.url}`.split(/[?&]signature=/)
    if (!isSame(decodeURIComponent(signature ?? ''), sign(signed))) throw refusal(403, 'invalid signature')
    if (Number(new URL(signed).searchParams.get('expires')) < Date.now()) throw refusal(403, 'the URL has expired')
  }

  /**
   * @param {IncomingMessage} request
   * @param {string} key
   * @param {URLSearchParams} params
   */
  async function storeUpload(request, key, params) {
    assertSigned(request)
    if (params.get('x-ut-identifier') !== APP_ID) throw refusal(400, 'the upload belongs to another app')
    const parameter = (/** @type {string} */ name) => decodeURIComponent(params.get(name) ?? '')
    const file = await readForm(request)
    if (file.bytes.length !== Number(parameter('x-ut-file-size')))
      throw refusal(400, 'the size differs from the signed one')
    if (objects.has(key)) throw refusal(409, 'the key is already in use')
    const acl = parameter('x-ut-acl') || 'public-read'
    const disposition = parameter('x-ut-content-disposition') || 'inline'
    const [name, type] = [parameter('x-ut-file-name'), parameter('x-ut-file-type')]
    objects.set(key, { name, type, bytes: file.bytes, acl, disposition })
    const fileUrl = `${url}/a/${APP_ID}/${key}`
    const fileHash = createHash('md5').update(file.bytes).digest('hex')
    if (params.has('x-ut-slug')) {
      const callbackUrl = callbacks.get(key)
      if (!callbackUrl) throw refusal(400, 'the upload was not registered')
      const seen = { name, size: file.bytes.length, type, customId: null }
      // The browser gets its response without waiting for the callback.
      if (isReporting)
        void report(callbackUrl, { ...seen, key, url: fileUrl, appUrl: fileUrl, ufsUrl: fileUrl, fileHash })
    }
    return { url: fileUrl, appUrl: fileUrl, ufsUrl: fileUrl, fileHash, serverData: null }
  }

  /**
   * @param {string} callbackUrl
   * @param {object} file
   */
  async function report(callbackUrl, file) {
    const body = JSON.stringify({ status: 'uploaded', metadata: {}, file, origin: url })
    const signature = sign(body)
    const headers = {
      'content-type': 'application/json',
      'uploadthing-hook': 'callback',
      'x-uploadthing-signature': signature,
    }
    const status = await fetch(callbackUrl, { method: 'POST', headers, body }).then(
      (response) => response.status,
      () => 0,
    )
    reports.push({ url: callbackUrl, body, signature, status })
  }

  /**
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   * @param {string} key
   */
  function serveObject(request, response, key) {
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

  // With a short timeout, a connection could close while its client sends the next request. The client would then treat
  // the storage as unavailable.
  server.keepAliveTimeout = 120_000
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  // UploadThing's SDK uses plain HTTP only for a host with "local" in its name.
  const { port } = /** @type {AddressInfo} */ (server.address())
  url = `http://localhost:${port}`
  const token = Buffer.from(JSON.stringify({ apiKey: API_KEY, appId: APP_ID, regions: ['sea1'] })).toString('base64')
  return {
    url,
    env: { UPLOADTHING_TOKEN: token, UPLOADTHING_URL: url },
    objects,
    reports,
    confirmed,
    sign,
    setReporting: (isOn) => (isReporting = isOn),
    setAway: (value) => (isAway = value),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * @param {number} status
 * @param {string} message
 */
function refusal(status, message) {
  return Object.assign(new Error(message), { status })
}

/** @param {IncomingMessage} request */
async function readJson(request) {
  if (request.headers['x-uploadthing-api-key'] !== API_KEY) throw refusal(401, 'wrong key')
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

/**
 * Reads the part named "file" of a multipart form.
 * @param {IncomingMessage} request
 * @returns {Promise<{ fileName: string, bytes: Buffer }>}
 */
function readForm(request) {
  return new Promise((resolve, reject) => {
    const headers = { ...request.headers, 'content-type': request.headers['content-type'] ?? '' }
    const parser = new Busboy({ headers })
    /** @type {{ fileName: string, bytes: Buffer } | null} */
    let found = null
    parser.on('file', (name, stream, fileName) => {
      /** @type {Buffer[]} */
      const chunks = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => name === 'file' && (found = { fileName, bytes: Buffer.concat(chunks) }))
    })
    parser.on('error', reject)
    parser.on('finish', () => (found ? resolve(found) : reject(refusal(400, 'no file'))))
    request.on('aborted', () => reject(refusal(400, 'the upload was aborted')))
    request.pipe(parser)
  })
}
