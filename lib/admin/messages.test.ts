import { auditActorName, auditFieldName, auditValueText } from './messages'

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
