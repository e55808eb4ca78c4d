import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from './class-names'

const badgeVariants = cva(
  'inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-xs font-semibold whitespace-nowrap max-[16rem]:whitespace-normal max-[16rem]:wrap-break-word [&_svg]:size-3.5',
  {
    variants: {
      tone: {
        quiet: 'bg-sunken text-muted',
        good: 'bg-good/8 text-good',
        warn: 'bg-warn/8 text-warn',
        bad: 'bg-bad/8 text-bad',
        strong: 'bg-good text-paper',
        ink: 'bg-ink text-paper',
      },
    },
    defaultVariants: { tone: 'quiet' },
  },
)

type BadgeProps = ComponentProps<'span'> & VariantProps<typeof badgeVariants>

export function Badge({ className, tone, ...props }: BadgeProps) {
  return <span className={cn(badgeVariants({ tone }), className)} {...props} />
}
