import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
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
      },
    },
    defaultVariants: { variant: 'default' },
  },
)

type BadgeProps = ComponentProps<'span'> & VariantProps<typeof badgeVariants>

export function Badge({ className, variant, ...props }: BadgeProps) {
  return <span data-slot="badge" className={cn(badgeVariants({ variant }), className)} {...props} />
}
