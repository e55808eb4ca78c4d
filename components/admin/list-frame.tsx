import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Input } from '@/components/ui/input'
import { LoadingBlock } from '@/components/ui/loading-block'
import { failureText } from '@/lib/client/call-api'

type SearchBoxProps = { label: string; value: string; onChange: (value: string) => void }

export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  return (
    <div className="relative col-span-full md:col-span-1">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 start-3.5 size-5 -translate-y-1/2 text-muted"
      />
      <Input
        type="search"
        aria-label={label.replace('...', '')}
        placeholder={label}
        autoComplete="off"
        enterKeyHint="search"
        maxLength={200}
        className="ps-11"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}

type ListFrameProps = {
  list: {
    items: unknown[]
    error: unknown
    isPending: boolean
    isFetching: boolean
    again: () => void
    hasMore: boolean
    more: () => void
  }
  empty: string
  children: ReactNode
}

/** Frames a list with its loading, empty and failed states, and a button that loads more. */
export function ListFrame({ list, empty, children }: ListFrameProps) {
  if (list.error) {
    return (
      <div className="grid justify-items-start gap-3">
        <p role="alert" className="text-bad">
          {failureText(list.error)}
        </p>
        <Button variant="outline" disabled={list.isFetching} onClick={list.again}>
          Try again
        </Button>
      </div>
    )
  }
  if (list.isPending) return <LoadingBlock text="Loading…" className="h-96" />
  if (list.items.length === 0) return <p className="py-8 text-center text-muted">{empty}</p>
  return (
    <div className="grid gap-3" aria-busy={list.isFetching}>
      <Card className="overflow-hidden">
        <ul className="divide-y">{children}</ul>
      </Card>
      {list.hasMore ? (
        <Button variant="outline" className="justify-self-center" disabled={list.isFetching} onClick={list.more}>
          Show more
        </Button>
      ) : null}
    </div>
  )
}
