import type { ComponentProps } from 'react'
import { cn } from './class-names'

export function Card({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('rounded-card border bg-surface shadow-card', className)} {...props} />
}
