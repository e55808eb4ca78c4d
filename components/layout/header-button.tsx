import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from '@/components/ui/button'

/** Shows only an icon on phones, and an icon with a word where there is space. */
export function HeaderButton({
  icon: Icon,
  label,
  ...props
}: ComponentProps<'button'> & { icon: LucideIcon; label: string }) {
  return (
    <Button variant="ghost" size="sm" className="max-md:size-11 max-md:px-0" {...props}>
      <Icon aria-hidden />
      <span className="max-md:sr-only">{label}</span>
    </Button>
  )
}
