/** Says to visitors without JavaScript that a page needs it. `children` name what cannot be done without it. */
export function NeedsScript({ children }: { children: string }) {
  return (
    <noscript>
      <p className="mb-4 rounded-card border border-warn bg-warn/8 p-4 font-medium text-warn">{children}</p>
    </noscript>
  )
}
