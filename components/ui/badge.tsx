import { cva, type VariantProps } from 'class-variance-authority'
import { cloneElement, type ComponentProps, type ReactElement } from 'react'
import { cn } from './class-names'

export const badgeVariants = cva(
  'inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-xs font-semibold whitespace-nowrap max-[16rem]:whitespace-normal max-[16rem]:wrap-break-word [&_svg]:size-3.5',
  {
    variants: {
      variant: {
        default: 'bg-ink text-paper',
        secondary: 'bg-sunken text-muted',
        destructive: 'bg-bad/8 text-bad',
        outline: 'border text-ink',
        good: 'bg-good/8 text-good',
        warn: 'bg-warn/8 text-warn',
        strong: 'bg-good text-paper',
        ghost: 'text-ink',
        link: 'text-ink underline-offset-4 hover:underline',
      },
    },
    defaultVariants: { variant: 'default' },
  },
)

type BadgeProps = ComponentProps<'span'> & VariantProps<typeof badgeVariants> & { asChild?: boolean }

/** With `asChild` the single child, usually a link, looks like the badge. */
export function Badge({ className, variant, asChild = false, children, ...props }: BadgeProps) {
  const classes = cn(badgeVariants({ variant }), className)
  if (asChild) {
    const child = children as ReactElement<{ className?: string }>
    return cloneElement(child, { ...props, className: cn(classes, child.props.className) })
  }
  return (
    <span data-slot="badge" className={classes} {...props}>
      {children}
    </span>
  )
}
