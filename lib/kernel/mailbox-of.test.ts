import { mailboxOf } from './mailbox-of'

test.each([
  ['Bea@Example.com', 'bea@example.com'],
  ['bea+drops@example.com', 'bea@example.com'],
  ['bea+a+b@example.com', 'bea@example.com'],
  ['b.e.a+x@gmail.com', 'bea@gmail.com'],
  ['bea@googlemail.com', 'bea@gmail.com'],
  ['b.ea@example.com', 'b.ea@example.com'],
  ['+only@example.com', '+only@example.com'],
])('the address %s belongs to the mailbox %s', (email, mailbox) => expect(mailboxOf(email)).toBe(mailbox))
