import { cva, type VariantProps } from 'class-variance-authority'
import { clsx } from 'clsx'
import { type ComponentProps, cloneElement, type MouseEvent, type ReactElement } from 'react'

const buttonVariants = cva(
  'inline-flex items-center justify-center gap-2 rounded-control font-semibold transition-colors duration-150 select-none max-[16rem]:leading-tight max-[16rem]:whitespace-normal max-[16rem]:wrap-break-word disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 [&_svg]:size-5 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        buy: 'bg-ember text-on-ember hover:bg-ember-strong',
        primary: 'bg-ink text-paper hover:bg-ink/85',
        outline: 'border border-control/60 bg-surface text-ink hover:bg-sunken',
        quiet: 'text-ink hover:bg-sunken',
        danger: 'bg-bad text-paper hover:bg-bad/85',
        outlineDanger: 'border border-bad/50 bg-surface text-bad hover:bg-sunken',
        quietDanger: 'text-bad hover:bg-sunken',
        // For use on a background of the ink colour.
        inverse: 'bg-paper text-ink hover:bg-paper/85',
      },
      size: {
        regular: 'min-h-11 px-4 text-base whitespace-nowrap',
        large: 'min-h-13 px-6 text-lg leading-tight',
        // For a bar that it shares with other elements, so it must leave them some width.
        bar: 'min-h-13 px-3 text-lg leading-tight max-[23rem]:px-2 max-[23rem]:text-base',
        // As high as the field beside it.
        field: 'min-h-12 px-4 text-base whitespace-nowrap',
        small: 'min-h-11 px-3 text-sm whitespace-nowrap',
        icon: 'size-11 shrink-0',
      },
    },
    defaultVariants: { variant: 'primary', size: 'regular' },
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
      className={classes}
      type={type}
      {...props}
      {...(isBusy ? { 'aria-disabled': true, onClick: takeNoPress } : {})}
    >
      {children}
    </button>
  )
}
