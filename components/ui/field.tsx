import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './class-names'
import { Label } from './label'

// The parts of a field have the names and properties of shadcn/ui, so that forms generated for shadcn/ui get our look.

export function FieldSet({ className, ...props }: ComponentProps<'fieldset'>) {
  return <fieldset data-slot="field-set" className={className} {...props} />
}

const legendClasses = { legend: 'mb-3 text-lg font-bold', label: 'mb-2 text-sm font-semibold' }

type FieldLegendProps = ComponentProps<'legend'> & { variant?: keyof typeof legendClasses }

export function FieldLegend({ className, variant = 'legend', ...props }: FieldLegendProps) {
  return <legend data-slot="field-legend" className={cn(legendClasses[variant], className)} {...props} />
}

export function FieldGroup({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="field-group" className={cn('grid gap-5', className)} {...props} />
}

const fieldVariants = cva('', {
  variants: {
    orientation: {
      vertical: 'grid gap-1.5',
      horizontal: 'flex items-center gap-3',
      responsive: 'grid gap-1.5 md:flex md:items-center md:gap-3',
    },
  },
  defaultVariants: { orientation: 'vertical' },
})

type FieldProps = ComponentProps<'div'> & VariantProps<typeof fieldVariants>

/** Arranges a label, its control, the error and the description, by default one below the other. */
export function Field({ className, orientation, ...props }: FieldProps) {
  return <div data-slot="field" className={cn(fieldVariants({ orientation }), className)} {...props} />
}

export function FieldContent({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="field-content" className={cn('grid flex-1 gap-0.5', className)} {...props} />
}

export function FieldLabel(props: ComponentProps<'label'>) {
  return <Label data-slot="field-label" {...props} />
}

export function FieldTitle({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="field-title" className={cn('text-sm font-semibold', className)} {...props} />
}

export function FieldDescription({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="field-description" className={cn('text-sm text-muted', className)} {...props} />
}

export function FieldSeparator({ className, children, ...props }: ComponentProps<'div'>) {
  return (
    <div data-slot="field-separator" className={cn('flex items-center gap-3 text-sm text-muted', className)} {...props}>
      <hr className="flex-1" />
      {children ? (
        <>
          {children}
          <hr className="flex-1" />
        </>
      ) : null}
    </div>
  )
}

type FieldErrorProps = ComponentProps<'div'> & { errors?: ({ message?: string | undefined } | undefined)[] }

/** Shows `children`, or else the messages of `errors`, which come from a form library. Shows nothing without either. */
export function FieldError({ className, children, errors = [], ...props }: FieldErrorProps) {
  const content = children ?? listOf(errors)
  if (!content) return null
  return (
    <div data-slot="field-error" role="alert" className={cn('text-sm font-medium text-bad', className)} {...props}>
      {content}
    </div>
  )
}

function listOf(errors: NonNullable<FieldErrorProps['errors']>): ReactNode {
  const texts = [...new Set(errors.flatMap((error) => error?.message ?? []))]
  if (texts.length < 2) return texts[0]
  return (
    <ul className="list-disc ps-4">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}
