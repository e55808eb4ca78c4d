import { cva, type VariantProps } from 'class-variance-authority'
import { type ComponentProps, cloneElement, type MouseEvent, type ReactElement } from 'react'
import { cn } from './class-names'

export const buttonVariants = cva(
  // With forced colors, backgrounds are removed and the transparent border becomes visible.
  'inline-flex items-center justify-center gap-2 rounded-control border border-transparent font-semibold transition-colors duration-150 select-none max-[16rem]:leading-tight max-[16rem]:whitespace-normal max-[16rem]:wrap-break-word disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 [&_svg]:size-5 [&_svg]:shrink-0',
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
        // This variant is for dark surfaces (ink).
        inverse: 'bg-paper text-ink hover:bg-paper/85',
      },
      size: {
        default: 'min-h-11 px-4 text-base whitespace-nowrap',
        lg: 'min-h-13 px-6 text-lg leading-tight',
        // In a bar the button shares the width with other controls, so its padding is smaller.
        bar: 'min-h-13 px-3 text-lg leading-tight max-[23rem]:px-2 max-[23rem]:text-base',
        // This is the height of an input beside the button.
        field: 'min-h-12 px-4 text-base whitespace-nowrap',
        sm: 'min-h-11 px-3 text-sm whitespace-nowrap',
        icon: 'size-11 shrink-0',
        // Generated components use these names for smaller buttons. Here no button is smaller than a finger.
        xs: 'min-h-11 px-2 text-xs whitespace-nowrap',
        'icon-xs': 'size-11 shrink-0',
        'icon-sm': 'size-11 shrink-0',
        'icon-lg': 'size-13 shrink-0',
      },
    },
    defaultVariants: { variant: 'default', size: 'default' },
  },
)

type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof buttonVariants> & {
    asChild?: boolean
    /**
     * True while the button waits for a response. It then ignores presses but keeps the focus, which it would lose with
     * `disabled`.
     */
    isBusy?: boolean
  }

function ignorePress(event: MouseEvent): void {
  event.preventDefault()
}

/**
 * With `asChild` the single child, usually a link, looks like the button. This is done without Radix's Slot, which
 * would add 1 KB to every page. A class in `className` replaces the classes of the variant that set the same property.
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
  const classes = cn(buttonVariants({ variant, size }), className)
  if (asChild) {
    const child = children as ReactElement<{ className?: string }>
    return cloneElement(child, { ...props, className: cn(classes, child.props.className) })
  }
  return (
    <button
      data-slot="button"
      className={classes}
      type={type}
      {...props}
      {...(isBusy ? { 'aria-disabled': true, onClick: ignorePress } : {})}
    >
      {children}
    </button>
  )
}
