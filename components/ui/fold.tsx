import type { ComponentProps, ReactNode } from 'react'
import { Disclosure } from './disclosure'

type FoldProps = Pick<ComponentProps<'summary'>, 'id' | 'ref' | 'aria-describedby'> & {
  /** What is set now, in a few words. */
  line: ReactNode
  isOpen?: boolean
  onToggle?: (isOpen: boolean) => void
  children: ReactNode
}

/**
 * A quiet line of a form that opens further fields below it. It works before any script has loaded. Several of them in
 * a row stand close together.
 */
export function Fold({ line, isOpen, onToggle, children, ...summary }: FoldProps) {
  return (
    <Disclosure
      label={line}
      isOpen={isOpen}
      onToggle={onToggle}
      className="min-w-0 border-line [details+&]:-mt-3"
      summary={{ ...summary, className: 'min-h-12 text-sm font-medium' }}
    >
      <div className="grid gap-5 border-t p-4">{children}</div>
    </Disclosure>
  )
}
