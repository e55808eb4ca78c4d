import { createSellerAndDrop, type DropFields, openCheckout, postJson, uniqueName } from './e2e'
import { mailedLink } from './mailed-link'

/**
 * Makes a drop whose only unit is reserved for someone on its waitlist, because the checkout that held the unit was
 * canceled. The result also has the path of the claim page, `claim`.
 */
export async function makeClaim(fields: DropFields = {}) {
  const made = await createSellerAndDrop({ quantity: '1', ...fields })
  const { shop, drop, path } = made
  const opened = await openCheckout(shop, drop.id)
  const email = `${uniqueName('wait')}@example.com`
  await postJson(`${shop.url}/api${path}/remind`, { email })
  const confirm = await mailedLink(shop, email, /https?:\S+\/remind\/confirm\S+/)
  const body = new URLSearchParams({ token: new URL(confirm, shop.url).searchParams.get('token') ?? '' })
  await fetch(`${shop.url}/api/waitlist/confirm`, { method: 'POST', body, redirect: 'manual' })
  const page = await (await fetch(opened.body.url!)).text()
  const cancel = /href="([^"]+\/cancel\?[^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
  await fetch(cancel!, { redirect: 'manual' })
  return { ...made, claim: await mailedLink(shop, email, /https?:\S+\/claim\/[\w-]+/) }
}
