import { Button } from '@/components/ui/button'

/** Links to the next page, which shows older rows, and keeps the filters. */
export function OlderPageLink({
  path,
  query,
  before,
}: {
  path: string
  query: Record<string, string | undefined>
  before: string
}) {
  const kept = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const parameters = new URLSearchParams([...kept.filter(([name]) => name !== 'before'), ['before', before]])
  return (
    <Button asChild variant="outline" className="justify-self-center">
      <a href={`${path}?${parameters.toString()}`}>Older</a>
    </Button>
  )
}
