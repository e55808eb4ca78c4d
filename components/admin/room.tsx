import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { NativeSelect } from '@/components/ui/native-select'

/** A room behind the panel: its name, the way back, what is in it. */
export function Room({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <main className="mx-auto grid max-w-[28rem] gap-4 px-4 pt-3 pb-20 lg:max-w-6xl">
      <div className="flex items-center gap-2">
        <Button asChild variant="ghost" size="icon" className="-ml-3">
          <a href="/admin" aria-label="Back to the panel">
            <ArrowLeft aria-hidden />
          </a>
        </Button>
        <h1 className="text-3xl font-extrabold">{title}</h1>
      </div>
      {text ? <p className="text-muted">{text}</p> : null}
      {children}
    </main>
  )
}

/** Filters as a plain form: it works without a script, and the address says what is shown. */
export function Filters({ path, children }: { path: string; children: ReactNode }) {
  return (
    <form action={path} className="grid gap-3 lg:flex lg:items-end">
      {children}
      <Button type="submit" variant="outline" size="field">
        Show
      </Button>
    </form>
  )
}

type FilterSelectProps = {
  name: string
  label: string
  value: string | undefined
  options: [value: string, label: string][]
}

export function FilterSelect({ name, label, value, options }: FilterSelectProps) {
  return (
    <div className="lg:w-52">
      <NativeSelect name={name} aria-label={label} defaultValue={value ?? ''}>
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </NativeSelect>
    </div>
  )
}

/** The way to older rows, with the filters kept. */
export function Older({
  path,
  query,
  before,
}: {
  path: string
  query: Record<string, string | undefined>
  before: string
}) {
  const kept = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const address = new URLSearchParams([...kept.filter(([name]) => name !== 'before'), ['before', before]])
  return (
    <Button asChild variant="outline" className="justify-self-center">
      <a href={`${path}?${address.toString()}`}>Older</a>
    </Button>
  )
}
