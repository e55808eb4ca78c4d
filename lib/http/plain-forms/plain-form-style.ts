import 'server-only'

/**
 * The look of the forms for browsers without JavaScript. They are shown on plain pages, which define few colors, and
 * inside the pages of the application, whose names of colors come first.
 */
export const plainFormStyle = `
.plain-form { display: grid; gap: 1.25rem; font-size: 1rem; line-height: 1.5 }
.plain-form > div, .plain-form fieldset { display: grid; gap: 0.375rem; margin: 0; padding: 0; border: 0; min-width: 0 }
.plain-form .pair { grid-template-columns: 1fr 1fr; gap: 0.75rem; align-items: start }
.plain-form .pair > div { display: grid; gap: 0.375rem }
.plain-form label, .plain-form legend { font-size: 0.875rem; font-weight: 600; padding: 0 }
.plain-form input, .plain-form textarea, .plain-form select { width: 100%; min-width: 0; min-height: 48px; margin: 0;
  padding: 0.625rem 0.875rem; border: 1px solid var(--control, var(--muted)); border-radius: 10px;
  background: var(--surface, var(--paper)); color: var(--ink); font: inherit; box-sizing: border-box }
.plain-form select { appearance: none; padding-right: 2.5rem; background-repeat: no-repeat; background-size: 6px 6px;
  background-image: linear-gradient(45deg, transparent 50%, var(--ink) 50%),
    linear-gradient(135deg, var(--ink) 50%, transparent 50%);
  background-position: right 1.25rem center, right 0.875rem center }
.plain-form input[type='file'] { padding: 0.5rem 0.625rem; font-size: 0.875rem }
.plain-form fieldset input + input { margin-top: 0.25rem }
.plain-form input::file-selector-button { min-height: 32px; margin: 0 0.75rem 0 0; padding: 0 0.75rem; border: 0;
  border-radius: 6px; background: var(--line); color: var(--ink); font: inherit; font-weight: 600; cursor: pointer }
.plain-form [aria-invalid] { border-color: var(--bad) }
.plain-form p { margin: 0; font-size: 0.875rem; color: var(--muted-foreground, var(--muted)) }
.plain-form .problem { color: var(--bad); font-weight: 500 }
.plain-form p a { display: inline; min-height: 0; padding: 0; border: 0; background: none; color: inherit;
  font-weight: inherit; text-decoration: underline }
.plain-form button { display: flex; justify-content: center; align-items: center; min-height: 56px; padding: 0 1.25rem;
  border: 0; border-radius: 10px; background: var(--ink); color: var(--paper); font: inherit; font-weight: 600;
  cursor: pointer }
`
