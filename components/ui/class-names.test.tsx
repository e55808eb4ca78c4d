// Components that `npx shadcn add` generates change the look of our parts with `className`.
import { renderToStaticMarkup } from 'react-dom/server'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card, CardTitle } from '@/components/ui/card'
import { Field, FieldDescription, FieldError, FieldGroup, FieldLegend, FieldTitle } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Label } from '@/components/ui/label'
import { NativeSelect } from '@/components/ui/native-select'
import { Switch } from '@/components/ui/switch'
import { Textarea } from '@/components/ui/textarea'
import { cn } from './class-names'

// `lost` has the classes of our part that the given classes replace, and `kept` has others.
it.each([
  [
    'button',
    () => <Button className="rounded-full bg-emerald-600 px-8 hover:bg-emerald-700">Go</Button>,
    ['rounded-control', 'bg-ink', 'px-4', 'hover:bg-ink/85'],
    ['text-paper', 'inline-flex'],
  ],
  [
    'link as a button',
    () => (
      <Button asChild className="text-xs">
        <a href="#top" className="text-lg text-bad">
          Top
        </a>
      </Button>
    ),
    ['text-base', 'text-xs', 'text-paper'],
    ['bg-ink'],
  ],
  ['icon button', () => <Button size="icon" className="size-8" />, ['size-11'], ['shrink-0']],
  [
    'input',
    () => <Input className="h-9 rounded-none border-0 bg-transparent px-0 text-sm" />,
    ['h-12', 'rounded-control', 'border', 'bg-surface', 'px-3.5', 'text-base'],
    ['w-full', 'border-control', 'text-ink'],
  ],
  ['textarea', () => <Textarea className="min-h-[60px] py-1" />, ['min-h-28', 'py-3'], ['px-3.5']],
  [
    'select',
    () => <NativeSelect className="h-9 rounded-card border-transparent" />,
    ['h-12', 'rounded-control', 'border-control'],
    ['border'],
  ],
  ['label', () => <Label className="text-xs font-normal" />, ['text-sm', 'font-semibold'], []],
  ['switch', () => <Switch className="h-6 w-11 rounded-full" />, ['h-11', 'w-14', 'rounded-control'], ['grid']],
  ['badge', () => <Badge className="rounded-control bg-bad" />, ['rounded-full', 'bg-ink'], ['text-paper']],
  [
    'card',
    () => <Card className="rounded-none border-0 shadow-none" />,
    ['rounded-card', 'border', 'shadow-card'],
    ['bg-surface'],
  ],
  ['title of a card', () => <CardTitle className="font-sans text-2xl" />, ['font-display', 'text-xl'], ['font-bold']],
  ['group of fields', () => <FieldGroup className="flex gap-3" />, ['grid', 'gap-5'], []],
  ['field', () => <Field orientation="horizontal" className="items-start" />, ['items-center'], ['flex']],
  ['title of a field', () => <FieldTitle className="text-base" />, ['text-sm'], ['font-semibold']],
  ['description', () => <FieldDescription className="text-ink" />, ['text-muted'], ['text-sm']],
  ['legend', () => <FieldLegend className="mb-1" />, ['mb-3'], ['text-lg']],
  ['error', () => <FieldError className="text-xs">Too short</FieldError>, ['text-sm'], ['text-bad']],
])('class names that are given to a %s replace its own', (_name, draw, lost, kept) => {
  const element = draw()
  const html = renderToStaticMarkup(element)
  const given = String((element.props as { className: string }).className).split(' ')
  const classes = (/class="([^"]*)"/.exec(html.replace(/^<span class="relative block">/, ''))?.[1] ?? '').split(' ')
  expect(lost.filter((name) => classes.includes(name))).toEqual([])
  const last = given.filter((name) => !lost.includes(name))
  expect(classes).toEqual(expect.arrayContaining([...kept, ...last]))
})

it('class names of our theme replace each other like those of Tailwind', () => {
  const pairs: [first: string, second: string][] = [
    ['rounded-lg', 'rounded-card'],
    ['rounded-t-card', 'rounded-t-none'],
    ['shadow-card', 'shadow-lg'],
    ['shadow-sm', 'shadow-card'],
    ['tabular', 'proportional-nums'],
    ['pb-4', 'pb-safe'],
    ['text-muted', 'text-ink'],
    ['font-display', 'font-sans'],
    ['min-h-11', 'min-h-13'],
  ]
  for (const [first, second] of pairs) {
    expect(cn(first, second)).toBe(second)
    expect(cn(second, first)).toBe(first)
  }
  // A color and a size, and a shadow and its color, are different properties.
  expect(cn('text-ink text-lg font-display font-bold shadow-card shadow-bad')).toBe(
    'text-ink text-lg font-display font-bold shadow-card shadow-bad',
  )
})
