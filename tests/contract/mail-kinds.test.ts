import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { classOfKind, composeMail } from '@/lib/notifications/compose-mail'
import { noticeKey, noticeKinds } from '@/lib/notifications/notice-key'

const sources = readdirSync('lib', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
  .map((file) => readFileSync(path.join('lib', file), 'utf8'))

const kindOf = (dedupeKey: string) => dedupeKey.split(':')[0] ?? ''

/** The kinds of all calls of composeMail(): the part of the dedupe key before its first colon. */
const composed = new Set([
  ...sources.flatMap((text) => [...text.matchAll(/composeMail\([^`]*?`([^:`]+):/g)].map(([, kind = '']) => kind)),
  ...noticeKinds.map((kind) => kindOf(noticeKey(kind, 1, 1))),
])

test('every kind of email has a class, and every listed kind exists', () => {
  const calls = sources.flatMap((text) => text.match(/(?<!function )\bcomposeMail\(/g) ?? []).length
  expect(calls).toBeGreaterThan(50)
  expect(Object.keys(classOfKind).toSorted()).toEqual([...composed].toSorted())
})

test('emails about refunds, requested links and changes to an account are urgent, and recaps and notices are bulk', () => {
  const content = { subject: 'Hello', preview: '', heading: 'Hello', paragraphs: [] }
  for (const kind of [
    'mismatch-refund',
    'late-refund-failed',
    'find-order',
    'username',
    'new-login',
    'username-changed',
  ] as const)
    expect(composeMail('bea@example.com', `${kind}:1`, content)).toMatchObject({ isUrgent: true })
  for (const kind of ['recap', 'follow-live', 'waitlist-start'] as const)
    expect(composeMail('bea@example.com', `${kind}:1`, content)).toMatchObject({ isBulk: true })
})
