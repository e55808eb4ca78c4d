import { scrubAccount } from '@/lib/accounts/scrub-account'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { transaction } from '@/lib/infra/context'
import { HOUR_MS } from '@/lib/kernel/time'
import { changePublicProfile } from '@/lib/profiles/change-public-profile'
import { findPublicProfile, listSoldOutDrops } from '@/lib/profiles/queries'
import { publicProfileSchema } from '@/lib/profiles/schema'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'

afterAll(closeDatabase)

async function seller() {
  const user = await makeSeller()
  return { user, ctx: contextFor(actorOf(user)) }
}

const fieldsOf = (input: unknown) =>
  publicProfileSchema.safeParse(input).error?.issues.map(({ path, message }) => [path.join('.'), message])

describe('the text and the links that a seller writes on the public profile', () => {
  it('are empty at first, and a change keeps the field that it leaves out', async () => {
    const { user, ctx } = await seller()
    expect(await findPublicProfile(database(), user.id)).toEqual({ about: '', links: [] })
    await changePublicProfile(ctx, { about: 'Stoneware from Lisbon.' })
    const input = publicProfileSchema.parse({ links: ['instagram.com/juno', 'https://juno.example'] })
    const changed = await changePublicProfile(ctx, input)
    const links = ['https://instagram.com/juno', 'https://juno.example/']
    expect(changed).toEqual({ about: 'Stoneware from Lisbon.', links })
    expect(await changePublicProfile(ctx, { about: '' })).toEqual({ about: '', links })
    expect(await findPublicProfile(database(), user.id)).toEqual({ about: '', links })
  })

  it('are refused if the text is too long or has several lines, a link is bad, or there are too many links', () => {
    expect(fieldsOf({ about: 'a'.repeat(161) })).toEqual([
      ['about', 'Please keep this line to at most 160 characters.'],
    ])
    expect(fieldsOf({ about: 'one\ntwo' })).toEqual([['about', 'Please write this on one line.']])
    expect(fieldsOf({ links: ['https://fine.example', 'javascript:alert(1)'] })).toEqual([
      ['links.1', 'Each link must be a public web address that starts with https://.'],
    ])
    expect(fieldsOf({ links: Array.from({ length: 4 }, () => 'a.example') })).toEqual([
      ['links', 'You can add up to 3 links.'],
    ])
    expect(fieldsOf({ about: '', links: [], plan: 'pro' })).toHaveLength(1)
  })

  it('are refused when the scanner finds something that may not be sold or that a person would have to review', async () => {
    const { user, ctx } = await seller()
    await expect(changePublicProfile(ctx, { about: 'Best cocaine in town' })).rejects.toMatchObject({
      status: 403,
      field: 'about',
    })
    await expect(changePublicProfile(ctx, { about: 'Ask me for magic mushroom growing tips' })).rejects.toMatchObject({
      status: 403,
    })
    const links = ['https://freecasinomoney.example/']
    await expect(changePublicProfile(ctx, { links })).rejects.toMatchObject({ status: 403, field: 'links' })
    expect(await db().publicProfile.count({ where: { userId: user.id } })).toBe(0)
  })

  it('are deleted with the account', async () => {
    const { user, ctx } = await seller()
    await changePublicProfile(ctx, { about: 'Hello' })
    await transaction(ctx, (tx) => scrubAccount(tx, user, new Date()))
    expect(await db().publicProfile.count({ where: { userId: user.id } })).toBe(0)
  })
})

describe('the wall of sold-out drops', () => {
  const pastRun = { startedAt: new Date(Date.now() - 50 * HOUR_MS), endTime: new Date(Date.now() - 2 * HOUR_MS) }
  const archived = { ...pastRun, archivedAt: new Date(), isActive: false }

  async function past(userId: number, sold: number, overrides: Parameters<typeof makeDrop>[0] = {}) {
    const drop = await makeDrop({ userId, quantity: 4, sold, purchases: sold, ...archived, ...overrides })
    await db().dropRun.create({ data: { dropId: drop.id, run: 1, quantity: 4, sold, ...pastRun } })
    return drop
  }

  it('shows only drops with a sold-out run, and none that is live, hidden or refused', async () => {
    const { user } = await seller()
    const soldOut = await past(user.id, 4)
    await past(user.id, 3)
    await past(user.id, 4, { hiddenAt: new Date() })
    await past(user.id, 4, { moderation: 'refused' })
    await past(user.id, 4, { isActive: true, archivedAt: null })
    const wall = await listSoldOutDrops(database(), user.id)
    expect(wall.map(({ id, soldInRun }) => [id, soldInRun])).toEqual([[soldOut.id, 4]])
  })

  it('keeps a drop whose later run did not sell out, with the units of the run that did', async () => {
    const { user } = await seller()
    const drop = await past(user.id, 4)
    await db().dropRun.create({ data: { dropId: drop.id, run: 2, quantity: 9, sold: 1, ...pastRun } })
    expect((await listSoldOutDrops(database(), user.id)).map(({ soldInRun }) => soldInRun)).toEqual([4])
  })
})
