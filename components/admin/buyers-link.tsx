/**
 * Shows the link that buyers of a digital drop get, so that an administrator can check it. Shows nothing without one.
 */
export function BuyersLink({ url }: { url: string | null }) {
  if (!url) return null
  return (
    <p className="text-sm wrap-anywhere">
      Buyers get{' '}
      <a
        href={url}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="inline-flex min-h-6 items-center underline underline-offset-2"
      >
        {url}
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
    </p>
  )
}
