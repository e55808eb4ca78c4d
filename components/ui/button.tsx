import { cva, type VariantProps } from 'class-variance-authority'
import { clsx } from 'clsx'
import { type ComponentProps, cloneElement, type MouseEvent, type ReactElement } from 'react'

export const buttonVariants = cva(
  'inline-flex items-center justify-center gap-2 rounded-control font-semibold transition-colors duration-150 select-none max-[16rem]:leading-tight max-[16rem]:whitespace-normal max-[16rem]:wrap-break-word disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 [&_svg]:size-5 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        default: 'bg-ink text-paper hover:bg-ink/85',
        secondary: 'bg-sunken text-ink hover:bg-line',
        outline: 'border border-control/60 bg-surface text-ink hover:bg-sunken',
        ghost: 'text-ink hover:bg-sunken',
        link: 'text-ink underline-offset-4 hover:underline',
        destructive: 'bg-bad text-paper hover:bg-bad/85',
        outlineDestructive: 'border border-bad/50 bg-surface text-bad hover:bg-sunken',
        ghostDestructive: 'text-bad hover:bg-sunken',
        buy: 'bg-ember text-on-ember hover:bg-ember-strong',
        // For a dark surface (ink).
        inverse: 'bg-paper text-ink hover:bg-paper/85',
      },
      size: {
        default: 'min-h-11 px-4 text-base whitespace-nowrap',
        lg: 'min-h-13 px-6 text-lg leading-tight',
        // In a bar the button shares the width with other controls, so its padding is smaller.
        bar: 'min-h-13 px-3 text-lg leading-tight max-[23rem]:px-2 max-[23rem]:text-base',
        // As high as the field beside it.
        field: 'min-h-12 px-4 text-base whitespace-nowrap',
        sm: 'min-h-11 px-3 text-sm whitespace-nowrap',
        icon: 'size-11 shrink-0',
      },
    },
    defaultVariants: { variant: 'default', size: 'default' },
  },
)

type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof buttonVariants> & {
    asChild?: boolean
    /**
     * True while an answer is awaited. Presses are ignored, and the button keeps the focus, which `disabled` would
     * lose.
     */
    isBusy?: boolean
  }

function takeNoPress(event: MouseEvent): void {
  event.preventDefault()
}

/**
 * With `asChild` the single child, usually a link, gets the look of the button. This is done by hand because every page
 * carries this code, and Radix's Slot would add 1 KB to each. `className` may set only position and width; looks are
 * variants, so that no page has to carry the class-merging library (9 KB).
 */
export function Button({
  className,
  variant,
  size,
  isBusy = false,
  asChild = false,
  type = 'button',
  children,
  ...props
}: ButtonProps) {
  const classes = clsx(buttonVariants({ variant, size }), className)
  if (asChild) {
    const child = children as ReactElement<{ className?: string }>
    return cloneElement(child, { ...props, className: clsx(classes, child.props.className) })
  }
  return (
    <button
      data-slot="button"
      className={classes}
      type={type}
      {...props}
      {...(isBusy ? { 'aria-disabled': true, onClick: takeNoPress } : {})}
    >
      {children}
    </button>
  )
}
