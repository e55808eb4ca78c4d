import { GET as getOembed } from '@/app/api/oembed/route'
import { GET as getSitemapFile } from '@/app/sitemaps/[name]/route'
import { closeDatabase, db } from '@/lib/infra/db'
import { MINUTE_MS } from '@/lib/kernel/time'
import { sitemap, sitemapFile } from '@/lib/previews/sitemap'
import { documented } from '@/tests/support/api-answers'
import { makeDrop, makeSeller } from '@/tests/support/factories'
import { untilWaits } from '@/tests/support/until-waits'

afterAll(closeDatabase)

const ORIGIN = 'http://localhost:3000'
const locations = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map((match) => match[1])

describe('the sitemap', () => {
  it('lists public pages, live drops and their sellers, but no ended drop and no drop of a suspended seller', async () => {
    const seller = await makeSeller()
    const live = await makeDrop({ userId: seller.id, customSlug: `map-${seller.id}` })
    const plain = await makeDrop({ userId: seller.id })
    const silent = await makeSeller()
    const ended = await makeDrop({ userId: silent.id, endTime: new Date(Date.now() - MINUTE_MS) })
    const suspended = await makeDrop({ userId: (await makeSeller({ isSuspended: true })).id })
    const found = locations(await (await sitemap()).text())
    expect(found).toEqual(
      expect.arrayContaining([
        `${ORIGIN}/`,
        `${ORIGIN}/privacy-policy`,
        `${ORIGIN}/drop/${live.customSlug}`,
        `${ORIGIN}/drop/${plain.uniqueId}`,
        `${ORIGIN}/profile/${seller.username}`,
      ]),
    )
    expect(found).not.toContain(`${ORIGIN}/drop/${live.uniqueId}`)
    expect(found).not.toContain(`${ORIGIN}/profile/${silent.username}`)
    for (const { uniqueId } of [ended, suspended]) expect(found).not.toContain(`${ORIGIN}/drop/${uniqueId}`)
  })

  it('becomes an index of several files when it does not fit into one file, and the files together list each URL once', async () => {
    for (let count = 0; count < 5; count += 1) await makeDrop()
    const all = locations(await (await sitemap()).text())
    const files = locations(await (await sitemap(2)).text())
    expect(files.length).toBeGreaterThan(4)
    const named: (string | undefined)[] = []
    for (const file of files) {
      const response = await sitemapFile(String(file).split('/').at(-1)!, 2)
      named.push(...locations(await response!.text()))
    }
    expect(named.sort()).toEqual(all.sort())
  })

  test.each(['drops.xml', 'drops--1.xml', 'drops-99999999999.xml', 'orders-0.xml', '../pages.xml', ''])(
    'has no file %j',
    async (name) => expect(await sitemapFile(name)).toBeNull(),
  )

  it('reads one of its files at a time, and refuses a flood of requests', async () => {
    const get = (_: unknown, at: number) =>
      getSitemapFile(new Request(`${ORIGIN}/sitemaps/drops-${at}.xml`), {
        params: Promise.resolve({ name: `drops-${at}.xml` }),
      })
    const reads = () => db().$queryRaw<object[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND position('AS rows WHERE "id" > ' IN query) > 0`
    let answers: Promise<Response>[] = []
    let refused = () => {}
    const firstRefusal = new Promise<void>((resolve) => (refused = resolve))
    await db().$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE "Drop" IN ACCESS EXCLUSIVE MODE`
      answers = Array.from({ length: 40 }, get)
      for (const one of answers) void one.then(({ status }) => status === 503 && refused())
      // One request is refused only when one file is being read and twenty requests wait.
      await firstRefusal
      expect(await untilWaits('AS rows WHERE "id" > ', answers[0]!)).toBe(true)
      expect(await reads()).toHaveLength(1)
    })
    const statuses = new Set((await Promise.all(answers)).map(({ status }) => status))
    expect([...statuses].toSorted()).toEqual([200, 503])
  })
})

describe('oEmbed', () => {
  const ask = async (query: Record<string, string>) => {
    const answer = await getOembed(new Request(`${ORIGIN}/api/oembed?${new URLSearchParams(query)}`), {
      params: Promise.resolve({}),
    })
    const response = await documented('GET', '/api/oembed', answer)
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

  it('describes a drop under each of its identifiers', async () => {
    const seller = await makeSeller()
    const drop = await makeDrop({ userId: seller.id, customSlug: `embed-${seller.id}`, title: '<b>Mug</b> & "more"' })
    for (const name of [drop.customSlug, drop.uniqueId, `${drop.id}?utm_source=x#top`]) {
      const { status, body, headers } = await ask({ url: `${ORIGIN}/drop/${name}`, format: 'json' })
      expect(status).toBe(200)
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(body).toMatchObject({
        version: '1.0',
        type: 'link',
        title: '<b>Mug</b> & "more"',
        url: `${ORIGIN}/drop/${drop.customSlug}`,
        author_name: `@${seller.username}`,
        author_url: `${ORIGIN}/profile/${seller.username}`,
        provider_name: 'Lastcall',
        thumbnail_width: 1200,
        thumbnail_height: 630,
      })
      expect(body.thumbnail_url).toMatch(new RegExp(`^${ORIGIN}/drop/${drop.customSlug}/opengraph-image\\?v=`))
    }
  })

  test.each([
    [400, 'no URL', {}],
    [400, 'an empty URL', { url: '' }],
    [404, 'a string that is not a URL', { url: 'not a link' }],
    [404, 'another page', { url: `${ORIGIN}/profile/mira` }],
    [404, 'an unknown drop', { url: `${ORIGIN}/drop/nobody-knows` }],
    [404, 'a broken encoding', { url: `${ORIGIN}/drop/%E0%A4%A` }],
    [404, 'a NUL', { url: `${ORIGIN}/drop/%00` }],
    [404, 'a URL of 10 KB', { url: `${ORIGIN}/drop/${'a'.repeat(10_000)}` }],
    [404, 'another site', { url: 'https://elsewhere.example/drop/1' }],
    [404, 'a script', { url: 'javascript:alert(1)' }],
    [501, 'another format', { url: `${ORIGIN}/drop/1`, format: 'xml' }],
  ])('responds with %i to %s', async (status, _name, query) => {
    const answer = await ask(query as Record<string, string>)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ error: answer.body.message, requestId: expect.any(String) })
  })
})
