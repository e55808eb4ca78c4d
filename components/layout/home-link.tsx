import type { ComponentProps } from 'react'

/** The way home from a public page: a full load, without the router that a link of Next's would bring along. */
export function HomeLink(props: Omit<ComponentProps<'a'>, 'href'>) {
  // eslint-disable-next-line @next/next/no-html-link-for-pages -- see above
  return <a href="/" {...props} />
}
