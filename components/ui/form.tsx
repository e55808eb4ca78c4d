'use client'

import { cloneElement, type ComponentProps, createContext, type ReactElement, useContext, useId } from 'react'
import {
  Controller,
  type ControllerFieldState,
  type ControllerProps,
  type FieldPath,
  type FieldValues,
  FormProvider,
} from 'react-hook-form'
import { Field, FieldDescription, FieldError, FieldLabel } from './field'

// This is the form of shadcn/ui. react-hook-form keeps the values, and the parts connect a control with its label,
// description and error.

export const Form = FormProvider

const FormFieldContext = createContext<{ name: string; state: ControllerFieldState } | null>(null)

/** A field that works inside `Form`. With the property `control` it also works without `Form`. */
export function FormField<
  Values extends FieldValues = FieldValues,
  Name extends FieldPath<Values> = FieldPath<Values>,
  Output = Values,
>({ render, ...props }: ControllerProps<Values, Name, Output>) {
  return (
    <Controller
      {...props}
      render={(bag) => (
        <FormFieldContext value={{ name: props.name, state: bag.fieldState }}>{render(bag)}</FormFieldContext>
      )}
    />
  )
}

const FormItemContext = createContext<{ id: string; hasDescription: boolean }>({ id: '', hasDescription: true })

type FormItemProps = ComponentProps<'div'> & {
  /** The id of the control. By default an id is generated. */
  id?: string
  /** False when there is no description, so that `aria-describedby` does not name a missing element. */
  hasDescription?: boolean
}

export function FormItem({ id, hasDescription = true, ...props }: FormItemProps) {
  const ownId = useId()
  return (
    <FormItemContext value={{ id: id ?? ownId, hasDescription }}>
      <Field {...props} />
    </FormItemContext>
  )
}

/** Returns the ids of a field's parts and the state of its value. Throws outside a FormField. */
export function useFormField() {
  const field = useContext(FormFieldContext)
  const { id, hasDescription } = useContext(FormItemContext)
  if (!field) throw new Error('useFormField needs a FormField around it.')
  const { name, state } = field
  return {
    id,
    name,
    formItemId: id,
    formDescriptionId: `${id}-hint`,
    formMessageId: `${id}-error`,
    hasDescription,
    invalid: state.invalid,
    isDirty: state.isDirty,
    isTouched: state.isTouched,
    error: state.error,
  }
}

export function FormLabel(props: ComponentProps<'label'>) {
  return <FieldLabel htmlFor={useFormField().formItemId} {...props} />
}

type ControlProps = { id?: string; 'aria-invalid'?: true | undefined; 'aria-describedby'?: string | undefined }

/** Sets the id and the ARIA attributes of its only child, the control. */
export function FormControl({ children }: { children: ReactElement }) {
  const { formItemId, formDescriptionId, formMessageId, hasDescription, error } = useFormField()
  const ids = [error?.message ? formMessageId : '', hasDescription ? formDescriptionId : ''].filter(Boolean)
  return cloneElement(children as ReactElement<ControlProps>, {
    id: formItemId,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': ids.join(' ') || undefined,
  })
}

export function FormDescription(props: ComponentProps<'div'>) {
  return <FieldDescription id={useFormField().formDescriptionId} {...props} />
}

export function FormMessage({ children, ...props }: ComponentProps<'div'>) {
  const { formMessageId, error } = useFormField()
  return (
    <FieldError id={formMessageId} {...props}>
      {error?.message ?? children}
    </FieldError>
  )
}
