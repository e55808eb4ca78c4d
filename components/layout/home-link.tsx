import type { ComponentProps } from 'react'

type HomeLinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** Leads to the live drops, for buyers. */ toDrops?: boolean
}

/** Links to the home page with a full page load, so that public pages do not need Next's `<Link>`. */
export function HomeLink({ toDrops = false, ...props }: HomeLinkProps) {
  return <a href={toDrops ? '/#live' : '/'} {...props} />
}
