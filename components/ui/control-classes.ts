/** The look of every control that takes text or a choice. */
export const controlClasses =
  'w-full rounded-control border border-control bg-surface px-3.5 text-ink placeholder:text-muted transition-colors duration-150 disabled:opacity-60 aria-invalid:border-bad'
