import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import type { AuthErrors } from './use-auth-submit'

/**
 * Shows each refusal of the server at its field and moves the focus to the first one. A refusal that belongs to no
 * field is shown as a problem of the whole form.
 */
export function showRefusal<Values extends FieldValues>(
  { getValues, setError }: Pick<UseFormReturn<Values>, 'getValues' | 'setError'>,
  refused: AuthErrors,
): void {
  const fields = getValues()
  Object.entries(refused).forEach(([field, message], position) => {
    const name = field in fields ? (field as FieldPath<Values>) : 'root'
    setError(name, { message }, { shouldFocus: position === 0 })
  })
}
