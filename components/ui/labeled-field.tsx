'use client'

import type { ReactElement, ReactNode } from 'react'
import type { ControllerProps, ControllerRenderProps, FieldPath, FieldValues } from 'react-hook-form'
import { FormControl, FormDescription, FormField, FormItem, FormLabel, FormMessage } from './form'

export type LabeledFieldProps<Values extends FieldValues, Name extends FieldPath<Values>, Output> = {
  control: NonNullable<ControllerProps<Values, Name, Output>['control']>
  name: Name
  id: string
  label: ReactNode
  hint?: ReactNode
  optional?: boolean
  className?: string
  /** Renders the control. `field` has its value and its handlers. */
  children: (field: ControllerRenderProps<Values, Name>) => ReactElement
}

/** Renders a field of a form with its label, control, error and hint. */
export function LabeledField<Values extends FieldValues, Name extends FieldPath<Values>, Output>({
  control,
  name,
  id,
  label,
  hint,
  optional = false,
  className,
  children,
}: LabeledFieldProps<Values, Name, Output>) {
  return (
    <FormField
      control={control}
      name={name}
      render={({ field }) => (
        <FormItem id={id} hasDescription={Boolean(hint)} className={className}>
          <FormLabel>
            {label}
            {optional ? <span className="font-normal text-muted"> (optional)</span> : null}
          </FormLabel>
          <FormControl>{children(field)}</FormControl>
          <FormMessage />
          {hint ? <FormDescription>{hint}</FormDescription> : null}
        </FormItem>
      )}
    />
  )
}
