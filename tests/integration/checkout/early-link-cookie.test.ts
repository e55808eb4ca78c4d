// A checkout accepts any short string as the token of a follower's link, and ignores it unless it is one.
import { knownEarlyLink, noteEarlyLink } from '@/lib/http/cookies/buyer-cookie'
import { newSecret } from '@/lib/kernel/id'
import { requestWith } from '@/tests/support/signed-request'

it.each(['\ud800', '€; Path=/', 'a,b', 'x'.repeat(43) + '.', ''])('does not remember %j', async (early) => {
  const request = requestWith('', '/api/checkout/create-session')
  await expect(noteEarlyLink(request, 1, early, 60_000)).resolves.toBeUndefined()
  expect(await knownEarlyLink(request, 1)).toBeUndefined()
})

it('remembers a token for its drop', async () => {
  const request = requestWith('', '/api/checkout/create-session')
  const token = newSecret()
  await noteEarlyLink(request, 1, token, 60_000)
  expect(await knownEarlyLink(request, 1)).toBe(token)
  expect(await knownEarlyLink(request, 2)).toBeUndefined()
})
