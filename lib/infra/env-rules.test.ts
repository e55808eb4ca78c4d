import { readEnvironment } from './env-rules.mjs'

const tokenOf = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64')
const good = { apiKey: 'sk_live_1', appId: 'abc123', regions: ['sea1', 'fra1'] }

describe("UploadThing's token", () => {
  it('names the address that files are sent to', () => {
    const { problems, values } = readEnvironment({ UPLOADTHING_TOKEN: tokenOf(good) })
    expect(problems).toEqual([])
    expect(values.uploadThing).toMatchObject({ appId: 'abc123', ingestUrl: 'https://sea1.ingest.uploadthing.com' })
  })

  it('is optional', () => expect(readEnvironment({}).values.uploadThing).toBeNull())

  it.each([
    ['nonsense', 'nonsense'],
    ['no JSON', Buffer.from('hello').toString('base64')],
    ['null', tokenOf(null)],
    ['another key', tokenOf({ ...good, apiKey: 'pk_1' })],
    ['no app', tokenOf({ ...good, appId: undefined })],
    ['no region', tokenOf({ ...good, regions: [] })],
    ['a region that leads elsewhere', tokenOf({ ...good, regions: ['evil.example/#'] })],
    ['a host that leads elsewhere', tokenOf({ ...good, ingestHost: 'a@evil.example' })],
  ])('stops the start when it is not valid: %s', (_name, token) => {
    const { problems } = readEnvironment({ UPLOADTHING_TOKEN: token })
    expect(problems).toEqual([expect.stringMatching(/^UPLOADTHING_TOKEN is not a token/)])
  })

  it('may come with a stand-in, which needs a token', () => {
    const { values } = readEnvironment({ UPLOADTHING_TOKEN: tokenOf(good), UPLOADTHING_URL: 'http://localhost:4000' })
    expect(values.uploadThing).toMatchObject({ ingestUrl: 'http://localhost:4000' })
    expect(readEnvironment({ UPLOADTHING_URL: 'http://localhost:4000' }).problems).toHaveLength(1)
    expect(readEnvironment({ UPLOADTHING_TOKEN: tokenOf(good), UPLOADTHING_URL: 'nowhere' }).problems).toHaveLength(1)
  })
})
