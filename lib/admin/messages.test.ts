import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { auditActorName, auditFieldName, auditNames, auditValueText, extendedText } from './messages'

test.each([
  ['isActive', 'active'],
  ['suspendedUntil', 'suspended until'],
  ['hiddenAt', 'hidden'],
  ['reviewId', 'review number'],
  ['strikesTakenBack', 'strikes taken back'],
  ['plan', 'plan'],
  ['hours', 'hours'],
])('the audit log shows the field %s as "%s"', (name, words) => expect(auditFieldName(name)).toBe(words))

test('the audit log shows no raw value of a plan or of a kind of actor', () => {
  expect([auditValueText('plan', 'pro'), auditValueText('plan', 'free'), auditValueText('hours', 3)]).toEqual([
    'Pro Plan',
    'Free Plan',
    '3',
  ])
  const kinds = ['admin', 'user', 'system', 'stripe'].map((actorKind) =>
    auditActorName({ actorName: null, actorId: null, actorKind }),
  )
  expect(kinds).toEqual(['An administrator', 'A seller', 'Lastcall', 'Stripe'])
  expect(auditActorName({ actorName: 'ada', actorId: 1, actorKind: 'admin' })).toBe('@ada')
})

test('the toast after an extension says one drop and one hour in the singular', () => {
  expect(extendedText(1, 1)).toBe('We extended 1 drop by 1 hour')
  expect(extendedText(1_200, 3)).toBe('We extended 1,200 drops by 3 hours')
})

/** Returns the actions that the files below a folder record in the audit log. */
function actionsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .filter((text) => text.includes('recordAudit('))
    .flatMap((text) => text.match(/(?<=')[a-z]+\.[a-z-]+(?=')/g) ?? [])
}

test('every action in the code has a name in the audit log', () => {
  const actions = [...actionsIn('lib'), ...actionsIn('prisma/seed')]
  expect(actions.length).toBeGreaterThan(20)
  expect(actions.filter((action) => !auditNames[action])).toEqual([])
})
