import type { ComponentProps } from 'react'

/**
 * Links a public page to the home page by a full page load, so that public pages do not have to carry Next's router.
 */
export function HomeLink(props: Omit<ComponentProps<'a'>, 'href'>) {
  // eslint-disable-next-line @next/next/no-html-link-for-pages -- the full page load is intended, see above
  return <a href="/" {...props} />
}
