/** The look of inputs, text areas and selects. */
export const controlClasses =
  'w-full rounded-control border border-control bg-surface px-3.5 text-ink placeholder:text-muted transition-colors duration-150 disabled:opacity-60 aria-invalid:border-bad'
