type ProfileWordsProps = { about: string; links: readonly string[] }

/** Shows what a seller has written on the public profile. The links are not active, because they may be harmful. */
export function ProfileWords({ about, links }: ProfileWordsProps) {
  if (!about && links.length === 0) return <p className="text-sm text-muted">No text and no links.</p>
  return (
    <div className="grid gap-1 text-sm">
      {about ? (
        <p className="wrap-anywhere" dir="auto">
          {about}
        </p>
      ) : null}
      {links.map((link) => (
        <p key={link} className="wrap-anywhere text-muted">
          {link}
        </p>
      ))}
    </div>
  )
}
