import { mailTo, type Shop } from './e2e'
import { until } from './until'

/** Waits for an email with a link that matches, and returns the link's path and query. */
export async function mailedLink(shop: Shop, email: string, pattern: RegExp): Promise<string> {
  const link = await until(`link ${pattern}`, async () =>
    (await mailTo(shop, email)).map(({ text }) => pattern.exec(text)?.[0]).find(Boolean),
  )
  const { pathname, search } = new URL(link)
  return pathname + search
}
