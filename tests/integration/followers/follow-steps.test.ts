import { renderToStaticMarkup } from 'react-dom/server'
import FollowPage, { generateMetadata } from '@/app/(buyer)/follow/[step]/page'
import { unfollowLinks } from '@/lib/followers/unfollow-links'
import { followerTexts } from '@/lib/followers/messages'
import { closeDatabase } from '@/lib/infra/db'

afterAll(closeDatabase)

const at = (step: string, query: Record<string, string> = {}) => ({
  params: Promise.resolve({ step }),
  searchParams: Promise.resolve(query),
})
const titleOf = async (...page: Parameters<typeof at>) => (await generateMetadata(at(...page))).title
const stopLink = Object.fromEntries(new URL(unfollowLinks(7, 'http://localhost').pageUrl).searchParams)

it('each step of following has its own title', async () => {
  expect(await titleOf('sent')).toBe(followerTexts.sentTitle)
  expect(await titleOf('confirm', { token: 'broken' })).toBe(followerTexts.expiredTitle)
  expect(await titleOf('done')).toBe(followerTexts.doneTitle)
  expect(await titleOf('stop', stopLink)).toBe(followerTexts.stopTitle)
  expect(await titleOf('stopped')).toBe(followerTexts.stoppedTitle)
  expect(await titleOf('constructor')).toBeUndefined()
})

it('a whole unsubscribe link has a button, and a broken one says where the whole link is', async () => {
  expect(renderToStaticMarkup(await FollowPage(at('stop', stopLink)))).toContain('action="/api/follow/leave?follower=7')
  const links: Record<string, string>[] = [{}, { follower: '7' }, { ...stopLink, follower: '8' }, { key: 'y' }]
  for (const broken of links) {
    expect(await titleOf('stop', broken)).toBe(followerTexts.stopInvalidTitle)
    const page = renderToStaticMarkup(await FollowPage(at('stop', broken)))
    expect(page).toContain('Please open the link in our newest email about this seller.')
    expect(page).not.toContain('<form')
  }
})
