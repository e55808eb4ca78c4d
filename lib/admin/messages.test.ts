import { auditFieldName } from './messages'

test.each([
  ['isActive', 'active'],
  ['suspendedUntil', 'suspended until'],
  ['hiddenAt', 'hidden'],
  ['reviewId', 'review number'],
  ['strikesTakenBack', 'strikes taken back'],
  ['plan', 'plan'],
  ['hours', 'hours'],
])('the audit log shows the field %s as "%s"', (name, words) => expect(auditFieldName(name)).toBe(words))
