import type { ComponentProps } from 'react'
import { NativeSelect } from './native-select'

type ChoiceSelectProps = Omit<ComponentProps<typeof NativeSelect>, 'children' | 'aria-label'> & {
  label: string
  choices: readonly (readonly [value: string, text: string])[]
}

/** Shows a select of fixed choices whose label only screen readers read. */
export function ChoiceSelect({ label, choices, ...props }: ChoiceSelectProps) {
  return (
    <NativeSelect aria-label={label} {...props}>
      {choices.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </NativeSelect>
  )
}
