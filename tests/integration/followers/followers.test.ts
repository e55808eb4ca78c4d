import { deleteOwnAccount } from '@/lib/closure/delete-own-account'
import { confirmFollow } from '@/lib/followers/confirm-follow'
import { followSeller } from '@/lib/followers/follow-seller'
import { forgetRequests } from '@/lib/followers/forget-requests'
import { unfollowLinks } from '@/lib/followers/unfollow-links'
import { leaveSeller } from '@/lib/followers/leave-seller'
import { consentText } from '@/lib/followers/messages'
import { countFollowers, findFollowRequest, walkFollowers } from '@/lib/followers/queries'
import { followSchema, leaveSellerSchema } from '@/lib/followers/schema'
import { streamFollowersCsv } from '@/lib/followers/stream-followers-csv'
import { lockUser } from '@/lib/accounts/lock-user'
import { transaction } from '@/lib/infra/context'
import { hashPassword } from '@/lib/infra/password'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { DAY_MS } from '@/lib/kernel/time'
import type { MailContent } from '@/lib/notifications/compose-mail'
import { joinWaitlist } from '@/lib/waitlist/join-waitlist'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { readBatches } from '@/tests/support/read-exports'
import { untilWaits } from '@/tests/support/until-waits'

afterAll(closeDatabase)

let count = 0
const newAddress = () => `f${process.pid}${Date.now().toString(36)}${(count += 1)}@example.com`
const mailsTo = (to: string) => db().outboxMail.findMany({ where: { to }, orderBy: { id: 'asc' } })
const rowsOf = (sellerId: number) => db().follower.findMany({ where: { sellerId }, orderBy: { id: 'asc' } })

const ask = (seller: { username: string | null }, email: string) =>
  followSeller(visitor(), seller.username ?? '', { email, from: 'profile' })

async function tokenTo(email: string): Promise<string> {
  const text = (await mailsTo(email)).at(-1)?.text ?? ''
  return /\/follow\/confirm\?token=(\w+)/.exec(text)?.[1] ?? 'none'
}

async function follow(seller: { username: string | null }, email = newAddress()): Promise<string> {
  await ask(seller, email)
  await confirmFollow(visitor(), await tokenTo(email))
  return email
}

const leaveInput = (followerId: number) =>
  leaveSellerSchema.parse(Object.fromEntries(new URL(unfollowLinks(followerId, 'http://x').postUrl).searchParams))

describe('a request to follow a seller', () => {
  it('keeps the time zone of the browser, which nobody can change after the confirmation', async () => {
    const seller = await makeSeller()
    const email = newAddress()
    const askIn = (timezone: string) =>
      followSeller(visitor(), seller.username ?? '', { email, from: 'profile', timezone })
    const stored = async () => (await rowsOf(seller.id)).map(({ timezone }) => timezone)
    await askIn('Mars/Olympus')
    expect(await stored()).toEqual([null])
    await askIn('Asia/Tokyo')
    expect(await stored()).toEqual(['Asia/Tokyo'])
    await confirmFollow(visitor(), await tokenTo(email))
    await askIn('Europe/Berlin')
    expect(await stored()).toEqual(['Asia/Tokyo'])
  })

  it('counts only after its link was confirmed, and records when, on which page and to which text the person agreed', async () => {
    const seller = await makeSeller()
    const email = newAddress()
    await ask(seller, email)
    expect(await countFollowers(database(), seller.id)).toEqual({ total: 0, lastMonth: 0 })
    expect(await readBatches(walkFollowers(database(), seller.id))).toEqual([])
    await confirmFollow(visitor(), await tokenTo(email))
    expect(await countFollowers(database(), seller.id)).toEqual({ total: 1, lastMonth: 1 })
    expect(await readBatches(walkFollowers(database(), seller.id))).toEqual([
      {
        email,
        confirmedAt: expect.stringMatching(/^\d{4}-/),
        page: `/profile/${seller.username}`,
        agreedTo: consentText(seller.username!),
      },
    ])
  })

  it('is not confirmed when a mail scanner opens the page of the link', async () => {
    const seller = await makeSeller()
    const email = newAddress()
    await ask(seller, email)
    const token = await tokenTo(email)
    expect(await findFollowRequest(database(), token)).toEqual({
      username: seller.username,
      consentText: consentText(seller.username!),
    })
    expect((await countFollowers(database(), seller.id)).total).toBe(0)
  })

  it('is bulk mail with an unsubscribe URL for mail programs', async () => {
    const seller = await makeSeller()
    const email = newAddress()
    await ask(seller, email)
    const [mail] = await mailsTo(email)
    const { unsubscribe } = mail?.content as MailContent
    expect([mail?.isBulk, mail?.isUrgent]).toEqual([true, false])
    expect(unsubscribe?.postUrl).toContain('/api/follow/leave?follower=')
    expect(unsubscribe?.pageUrl).toContain('/follow/stop?follower=')
  })

  it('sends no other email after its recipient unsubscribed, while another seller can still ask', async () => {
    const [seller, other] = [await makeSeller(), await makeSeller()]
    const [name, domain] = newAddress().split('@')
    const email = `${name}@${domain}`
    await ask(seller, email)
    const [row] = await rowsOf(seller.id)
    await leaveSeller(visitor(), leaveInput(row?.id ?? 0))
    await ask(seller, email)
    await ask(seller, `${name}+again@${domain}`)
    expect(await mailsTo(email)).toHaveLength(1)
    expect(await rowsOf(seller.id)).toEqual([])
    await ask(other, email)
    expect(await mailsTo(email)).toHaveLength(2)
  })

  it('is possible again after a follower has unsubscribed', async () => {
    const seller = await makeSeller()
    const email = await follow(seller)
    const [row] = await rowsOf(seller.id)
    await leaveSeller(visitor(), leaveInput(row?.id ?? 0))
    await follow(seller, email)
    expect(await rowsOf(seller.id)).toHaveLength(1)
  })

  it('stores nothing for a seller whose account is deleted meanwhile', async () => {
    const seller = await makeSeller()
    const email = newAddress()
    const { asked } = await transaction(visitor(), async (tx) => {
      await lockUser(tx, seller.id)
      await tx.db.user.update({ where: { id: seller.id }, data: { deletedAt: new Date(), username: null } })
      const asked = ask(seller, email)
      expect(await untilWaits('', asked)).toBe(true)
      return { asked }
    })
    await asked
    expect(await rowsOf(seller.id)).toEqual([])
    expect(await mailsTo(email)).toEqual([])
  })

  it('names the drop page only if the drop is the seller’s, and never the secret URL of an order', async () => {
    const seller = await makeSeller()
    const drop = await makeDrop({ userId: seller.id })
    const other = await makeDrop()
    const name = seller.username!
    await followSeller(visitor(), name, { email: newAddress(), from: 'drop', drop: drop.uniqueId })
    await followSeller(visitor(), name, { email: newAddress(), from: 'order' })
    expect((await rowsOf(seller.id)).map(({ page }) => page)).toEqual([`/drop/${drop.uniqueId}`, 'order page'])
    const foreign = followSeller(visitor(), name, { email: newAddress(), from: 'drop', drop: other.uniqueId })
    await expect(foreign).rejects.toMatchObject({ code: 'SELLER_NOT_FOUND', status: 404 })
  })

  it('is refused for the seller, and for suspended and unknown sellers', async () => {
    const seller = await makeSeller()
    const own = followSeller(contextFor(actorOf(seller)), seller.username!, { email: newAddress(), from: 'profile' })
    await expect(own).rejects.toMatchObject({ code: 'OWN_PROFILE', status: 403 })
    const suspended = await makeSeller({ isSuspended: true })
    await expect(ask(suspended, newAddress())).rejects.toMatchObject({ status: 404 })
    await expect(ask({ username: 'nobody_at_all' }, newAddress())).rejects.toMatchObject({ status: 404 })
  })

  it('counts a mailbox once, whatever its tags are and however many requests arrive at the same time', async () => {
    const seller = await makeSeller()
    const [name, domain] = newAddress().split('@')
    await Promise.all(Array.from({ length: 4 }, (_, at) => ask(seller, `${name}+${at}@${domain}`)))
    expect(await rowsOf(seller.id)).toHaveLength(1)
  })

  it('does not change the email address and the consent of someone who already follows', async () => {
    const seller = await makeSeller()
    const [name, domain] = newAddress().split('@')
    await follow(seller, `${name}@${domain}`)
    const [before] = await rowsOf(seller.id)
    await followSeller(visitor(), seller.username!, { email: `${name}+stranger@${domain}`, from: 'order' })
    const [after] = await rowsOf(seller.id)
    const kept = ({ email, page, consentText: text, confirmedAt }: NonNullable<typeof before>) => [
      ...[email, page, text, confirmedAt],
    ]
    expect(kept(after!)).toEqual(kept(before!))
    expect(await mailsTo(`${name}+stranger@${domain}`)).toEqual([])
  })

  it('sends at most five emails per mailbox and day, together with the waitlist, and the result is always the same', async () => {
    const email = newAddress()
    const ended = await makeDrop({ endTime: new Date(Date.now() - 1_000) })
    await joinWaitlist(visitor(), { identifier: ended.uniqueId, email })
    for (let time = 0; time < 6; time += 1) await expect(ask(await makeSeller(), email)).resolves.toBeUndefined()
    expect(await mailsTo(email)).toHaveLength(5)
  })

  it('can be confirmed only with the newest link and within seven days, and is then deleted', async () => {
    const seller = await makeSeller()
    const email = newAddress()
    await ask(seller, email)
    const first = await tokenTo(email)
    await ask(seller, email)
    await expect(confirmFollow(visitor(), first)).rejects.toMatchObject({ code: 'LINK_INVALID', status: 410 })
    await db().follower.updateMany({
      where: { sellerId: seller.id },
      data: { askedAt: new Date(Date.now() - 7 * DAY_MS - 1_000) },
    })
    await expect(confirmFollow(visitor(), await tokenTo(email))).rejects.toMatchObject({ code: 'LINK_INVALID' })
    await forgetRequests(database(), 500)
    expect(await rowsOf(seller.id)).toEqual([])
  })

  it('is kept while it can be confirmed, and after it was confirmed', async () => {
    const seller = await makeSeller()
    await follow(seller)
    await ask(seller, newAddress())
    await db().follower.updateMany({
      where: { sellerId: seller.id, confirmedAt: { not: null } },
      data: { askedAt: new Date(0) },
    })
    await forgetRequests(database(), 500)
    expect(await rowsOf(seller.id)).toHaveLength(2)
  })

  it.each([
    [{ email: 'bea', from: 'profile' }],
    [{ email: 'bea@example.com', from: 'elsewhere' }],
    [{ email: 'bea@example.com', from: 'profile', more: 'x' }],
    [{ email: 'bea@example.com', from: 'drop', drop: 'x'.repeat(61) }],
  ])('with the fields %j is refused', (fields) => expect(followSchema.safeParse(fields).success).toBe(false))
})

describe('leaving', () => {
  it('deletes the email address, can be repeated, and makes the old confirmation link invalid', async () => {
    const seller = await makeSeller()
    const email = await follow(seller)
    const token = await tokenTo(email)
    const [row] = await rowsOf(seller.id)
    await leaveSeller(visitor(), leaveInput(row!.id))
    await leaveSeller(visitor(), leaveInput(row!.id))
    expect(await rowsOf(seller.id)).toEqual([])
    await expect(confirmFollow(visitor(), token)).rejects.toMatchObject({ code: 'LINK_INVALID' })
  })

  it('needs the key from the email', async () => {
    const seller = await makeSeller()
    await follow(seller)
    await follow(seller)
    const [mine, other] = await rowsOf(seller.id)
    const forged = { ...leaveInput(mine!.id), follower: other!.id }
    await expect(leaveSeller(visitor(), forged)).rejects.toMatchObject({ code: 'STOP_LINK_INVALID', status: 410 })
    expect(await rowsOf(seller.id)).toHaveLength(2)
  })
})

describe('the list', () => {
  it('as a CSV file has only the seller’s own confirmed followers, and no cell runs as a formula', async () => {
    const seller = await makeSeller()
    await follow(await makeSeller())
    await ask(seller, newAddress())
    const email = await follow(seller, `=cmd${newAddress()}`)
    const text = await new Response(streamFollowersCsv(database(), seller.id)).text()
    const lines = text.replace('\uFEFF', '').trimEnd().split('\r\n')
    expect(lines[0]).toBe('email,confirmed_at,page,agreed_to')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(`'${email},`)
  })

  it('with thousands of followers is exported completely and without repetitions', async () => {
    const seller = await makeSeller()
    await db().$executeRaw`
      INSERT INTO "Follower" ("sellerId", "email", "mailbox", "tokenHash", "confirmedAt", "page", "consentText")
      SELECT ${seller.id}, 'e' || n || '@example.com', 'e' || n || '@example.com', 'e' || ${seller.id}::text || '-' || n, now(), '/', 'yes'
        FROM generate_series(1, 4100) n`
    expect(new Set((await readBatches(walkFollowers(database(), seller.id))).map(({ email }) => email)).size).toBe(4100)
  })

  it('is deleted with the seller’s account', async () => {
    const passwordHash = await hashPassword('a password of a test')
    const seller = await makeSeller({ passwordHash })
    await follow(seller)
    await deleteOwnAccount(contextFor(actorOf(seller)), {
      username: seller.username!,
      password: 'a password of a test',
    })
    expect(await rowsOf(seller.id)).toEqual([])
  })
})
