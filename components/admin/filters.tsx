import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { ChoiceSelect } from '@/components/ui/choice-select'

/**
 * Shows filters as a plain form, so that they work without JavaScript and the page's URL contains the chosen values.
 */
export function Filters({ path, children }: { path: string; children: ReactNode }) {
  return (
    <form action={path} className="grid gap-3 md:flex md:items-end">
      {children}
      <Button type="submit" variant="outline" size="field">
        Apply
      </Button>
    </form>
  )
}

type FilterSelectProps = {
  name: string
  label: string
  value: string | undefined
  options: [value: string, label: string][]
}

export function FilterSelect({ name, label, value, options }: FilterSelectProps) {
  return (
    <div className="md:w-44 md:shrink-0 lg:w-52">
      <ChoiceSelect name={name} label={label} choices={options} defaultValue={value ?? ''} />
    </div>
  )
}
