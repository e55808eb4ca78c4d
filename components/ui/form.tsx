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

// The form of shadcn/ui: react-hook-form keeps the values, and these parts connect label, control, description and error.

export const Form = FormProvider

const FormFieldContext = createContext<{ name: string; state: ControllerFieldState } | null>(null)

/** A field that works inside `Form`, and without it when it is given `control`. */
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
  /** The id of the control; without it one is generated. */
  id?: string
  /** False where there is no description, so that the control does not point at one. */
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

/** The ids of a field's parts and what is known about its value. */
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

/** Gives its only child, the control, its id, and marks what describes it and whether it is invalid. */
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
