import { systemContext, transaction } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { newId } from '@/lib/kernel/id'
import { recordAudit } from '@/lib/platform/record-audit'

afterAll(closeDatabase)

// A half character arrives in JSON as an escape, for example in the link to a digital drop's file.
it('records text with half characters, so that the act itself does not fail', async () => {
  const targetId = newId('t')
  const act = {
    action: 'drop.link',
    targetType: 'drop',
    targetId,
    after: { link: 'https://files.example/\ud800' },
  } as const
  await transaction(systemContext('test'), (tx) => recordAudit(tx, { ...act, before: { link: null } }))
  const entry = await db().auditEntry.findFirstOrThrow({ where: { targetId } })
  expect(entry).toMatchObject({ before: { link: null }, after: { link: 'https://files.example/\ufffd' } })
})
