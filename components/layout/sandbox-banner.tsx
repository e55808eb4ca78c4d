/**
 * Says that payments run in the sandbox, so that nobody mistakes them for real ones. The root layout shows it on every
 * page.
 */
export function SandboxBanner() {
  return (
    <aside
      aria-label="Sandbox"
      className="tabular bg-ink px-4 py-1.5 text-center text-xs font-medium text-paper print:hidden dark:border-b dark:bg-surface dark:text-warn"
    >
      Sandbox, no real money. Card: 4242 4242 4242 4242
    </aside>
  )
}
