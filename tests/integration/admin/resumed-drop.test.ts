import { updateDrop } from '@/lib/admin/update-drop'
import { closeDatabase, database } from '@/lib/infra/db'
import { checkInvariants } from '@/lib/operations/check-invariants.mjs'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'

afterAll(closeDatabase)

const query = async (text: string) => ({ rows: await database().sql.unprepared<object>(text) })
const brokenRules = async () => (await checkInvariants({ query })).filter(({ breaches }) => breaches.length > 0)

it('a drop that an administrator resumes after its seller has published another one breaks no rule', async () => {
  const admin = contextFor(actorOf(await makeSeller({ isAdmin: true })))
  const paused = await makeDrop()
  await updateDrop(admin, paused.id, { isActive: false })
  await makeDrop({ userId: paused.userId })
  await updateDrop(admin, paused.id, { isActive: true })
  expect(await brokenRules()).toEqual([])
})

it('a seller with two running drops that no administrator has started breaks a rule', async () => {
  const { userId } = await makeDrop()
  const { id } = await makeDrop({ userId })
  expect(await brokenRules()).toMatchObject([{ name: 'I6', breaches: [{ id: userId, running: 2 }] }])
  await database().db.drop.update({ where: { id }, data: { isActive: false, archivedAt: new Date() } })
})
