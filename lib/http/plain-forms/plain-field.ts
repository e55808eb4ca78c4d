import 'server-only'
import { escapeHtml } from './plain-page'

export type PlainField = {
  name: string
  label: string
  value?: string | undefined
  hint?: string
  /** What is wrong with the value. */
  problem?: string | undefined
  /** Attributes of the control. They are inserted as they are, so they must not contain what a person typed. */
  attributes?: string
  isFocused?: boolean
  /** Makes the control a text area with this many lines. */
  lines?: number
  /** Makes the control a select with these values and their labels. */
  choices?: readonly (readonly [value: string, label: string])[]
}

/** Returns the HTML of a field of a plain form: its label, its control, and what is wrong with its value. */
export function plainField(field: PlainField): string {
  const { name, label, hint, problem } = field
  const id = `plain-${name}`
  const problemId = problem ? `${id}-problem` : ''
  const hintId = hint ? `${id}-hint` : ''
  const describedBy = [problemId, hintId].filter(Boolean).join(' ')
  const common = [
    `id="${id}" name="${name}"`,
    problem ? 'aria-invalid="true"' : '',
    describedBy ? `aria-describedby="${describedBy}"` : '',
    field.isFocused ? 'autofocus' : '',
    field.attributes ?? '',
  ]
  return `<div><label for="${id}">${escapeHtml(label)}</label>
${controlOf(field, common.filter(Boolean).join(' '))}
${problem ? `<p class="problem" id="${problemId}">${escapeHtml(problem)}</p>` : ''}
${hint ? `<p class="hint" id="${hintId}">${escapeHtml(hint)}</p>` : ''}</div>`
}

function controlOf({ value = '', lines, choices }: PlainField, attributes: string): string {
  // HTML drops the first line break inside a textarea, so one is added.
  if (lines) return `<textarea ${attributes} rows="${lines}">\n${escapeHtml(value)}</textarea>`
  if (!choices) return `<input ${attributes} value="${escapeHtml(value)}">`
  const options = choices.map(
    ([choice, label]) =>
      `<option value="${escapeHtml(choice)}"${choice === value ? ' selected' : ''}>${escapeHtml(label)}</option>`,
  )
  return `<select ${attributes}>${options.join('')}</select>`
}
