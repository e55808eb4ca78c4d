import type { ComponentProps } from 'react'

type HomeLinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** Leads to the drops that are live, for buyers. */ toDrops?: boolean
}

/**
 * Links a public page to the home page by a full page load, so that public pages do not have to carry Next's router.
 */
export function HomeLink({ toDrops = false, ...props }: HomeLinkProps) {
  return <a href={toDrops ? '/#live' : '/'} {...props} />
}
