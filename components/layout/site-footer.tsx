import { brand } from '@/lib/kernel/brand'
import { endSentence } from '@/lib/kernel/text'
import { BrandMark } from './brand-mark'

const links = [
  ['Find my order', '/find-order'],
  ['Help', '/find-order#help'],
  ['Terms of Service', '/terms-of-service'],
  ['Privacy Policy', '/privacy-policy'],
  ['Prohibited Content', '/prohibited-content'],
] as const

/**
 * Shows the footer. Its links are plain `<a>` elements, as in the header. On phones the right end of the last line is
 * kept free for the help button.
 */
export function SiteFooter() {
  return (
    <footer className="border-t">
      <div className="mx-auto flex w-full max-w-6xl flex-col gap-6 px-5 pt-8 pb-24 md:flex-row md:items-center md:justify-between md:px-8 md:pb-10">
        <div className="grid gap-2">
          <BrandMark className="justify-self-start" />
          <p className="text-sm text-muted">{endSentence(brand.tagline)}</p>
        </div>
        <nav
          aria-label="Orders, help and legal"
          className="-ms-2 flex flex-col items-start sm:flex-row sm:flex-wrap md:me-16"
        >
          {links.map(([label, href]) => (
            <a
              key={href}
              href={href}
              className="inline-flex min-h-11 items-center rounded-control px-2 text-sm font-medium text-muted hover:text-ink hover:underline"
            >
              {label}
            </a>
          ))}
        </nav>
      </div>
    </footer>
  )
}
