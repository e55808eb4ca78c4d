const links = [
  ['Find my order', '/find-order'],
  ['Help', '/find-order#help'],
  ['Terms', '/terms-of-service'],
  ['Privacy', '/privacy-policy'],
] as const

/**
 * Shows the links at the end of drop pages, profiles, order pages and /find-order. They are plain links, so that they
 * work without JavaScript.
 */
export function BuyerLinks() {
  return (
    <nav aria-label="Orders, help and legal" className="border-t pt-3">
      <div className="-ms-2 flex flex-wrap">
        {links.map(([label, href]) => (
          <a
            key={href}
            href={href}
            className="inline-flex min-h-11 items-center rounded-control px-2 text-sm text-muted hover:text-ink hover:underline"
          >
            {label}
          </a>
        ))}
      </div>
    </nav>
  )
}
