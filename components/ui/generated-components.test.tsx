// Components that `npx shadcn add` generates import our parts by these names. This file checks that such components
// compile and work.
import { zodResolver } from '@hookform/resolvers/zod'
import { renderToStaticMarkup } from 'react-dom/server'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { Badge, badgeVariants } from '@/components/ui/badge'
import { Button, buttonVariants } from '@/components/ui/button'
import { Card, CardAction, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from '@/components/ui/card'
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogOverlay,
  DialogPortal,
  DialogTitle,
  DialogTrigger,
} from '@/components/ui/dialog'
import {
  Field,
  FieldContent,
  FieldDescription,
  FieldError,
  FieldGroup,
  FieldLabel,
  FieldLegend,
  FieldSeparator,
  FieldSet,
  FieldTitle,
} from '@/components/ui/field'
import {
  Form,
  FormControl,
  FormDescription,
  FormField,
  FormItem,
  FormLabel,
  FormMessage,
  useFormField,
} from '@/components/ui/form'
import { Input } from '@/components/ui/input'
import { Label } from '@/components/ui/label'
import { NativeSelect, NativeSelectOptGroup, NativeSelectOption } from '@/components/ui/native-select'
import { Switch } from '@/components/ui/switch'
import { Textarea } from '@/components/ui/textarea'

function LoginCard() {
  return (
    <Card className="w-full">
      <CardHeader>
        <CardTitle>Login to your account</CardTitle>
        <CardDescription>Enter your email below</CardDescription>
        <CardAction>
          <Button variant="link">Sign Up</Button>
        </CardAction>
      </CardHeader>
      <CardContent>
        <FieldGroup>
          <Field data-invalid>
            <FieldLabel htmlFor="email">Email</FieldLabel>
            <Input id="email" type="email" aria-invalid />
            <FieldError errors={[{ message: 'Too short' }, { message: 'Too short' }, undefined]} />
          </Field>
          <FieldSeparator>or</FieldSeparator>
          <FieldSet>
            <FieldLegend variant="label">Plan</FieldLegend>
            <FieldDescription>You can change it.</FieldDescription>
            <Field orientation="horizontal">
              <FieldContent>
                <FieldTitle>Updates</FieldTitle>
              </FieldContent>
              <Switch id="updates" />
            </Field>
            <NativeSelect aria-label="Period" size="sm">
              <NativeSelectOptGroup label="Periods">
                <NativeSelectOption value="month">Monthly</NativeSelectOption>
              </NativeSelectOptGroup>
            </NativeSelect>
            <Label htmlFor="note">Note</Label>
            <Textarea id="note" />
          </FieldSet>
        </FieldGroup>
      </CardContent>
      <CardFooter>
        <Button type="submit" variant="secondary" size="sm">
          Login
        </Button>
        <Badge variant="outline">New</Badge>
        <Badge asChild variant="secondary" className="me-auto">
          <a href="#top" className="underline">
            Linked
          </a>
        </Badge>
        <Button variant="ghost" size="icon-sm" aria-label="More">
          …
        </Button>
      </CardFooter>
    </Card>
  )
}

const schema = z.object({ username: z.string().check(z.minLength(2)) })

function Invalid() {
  return <i>{String(useFormField().invalid)}</i>
}

function ProfileForm({ error }: { error?: string }) {
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { username: 'ann' },
    errors: error ? { username: { type: 'server', message: error } } : {},
  })
  return (
    <Form {...form}>
      <form onSubmit={form.handleSubmit(() => undefined)}>
        <FormField
          control={form.control}
          name="username"
          render={({ field }) => (
            <FormItem>
              <FormLabel>Username</FormLabel>
              <FormControl>
                <Input placeholder="shadcn" {...field} />
              </FormControl>
              <FormDescription>This is your public display name.</FormDescription>
              <FormMessage />
              <Invalid />
            </FormItem>
          )}
        />
      </form>
    </Form>
  )
}

function EditDialog() {
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button variant="outline">Open</Button>
      </DialogTrigger>
      <DialogContent showCloseButton={false}>
        <DialogHeader>
          <DialogTitle>Edit profile</DialogTitle>
          <DialogDescription>Make changes here.</DialogDescription>
        </DialogHeader>
        <DialogFooter>
          <DialogClose>Cancel</DialogClose>
        </DialogFooter>
      </DialogContent>
      <DialogPortal>
        <DialogOverlay />
      </DialogPortal>
    </Dialog>
  )
}

const attribute = (html: string, element: string, name: string) =>
  new RegExp(`<${element}[^>]* ${name}="([^"]*)"`).exec(html)?.[1]

it('a card with a form renders every part and shows a repeated error once', () => {
  const html = renderToStaticMarkup(<LoginCard />)
  const slots = [...html.matchAll(/data-slot="([a-z-]+)"/g)].map(([, slot]) => slot)
  expect(slots).toEqual(expect.arrayContaining(['card', 'card-header', 'card-title', 'card-action', 'card-footer']))
  expect(html.match(/Too short/g)).toHaveLength(1)
})

it('a badge with asChild styles its child and adds no element', () => {
  const html = renderToStaticMarkup(<LoginCard />)
  const [, classes = ''] = /<a [^>]*class="([^"]*)"[^>]*>\s*Linked/.exec(html) ?? []
  expect(classes.split(' ')).toEqual(expect.arrayContaining(['rounded-full', 'bg-sunken', 'me-auto', 'underline']))
  expect(html).not.toMatch(/<span[^>]*>\s*<a [^>]*>\s*Linked/)
})

it('label, control, description and message are connected by the id of the control', () => {
  const good = renderToStaticMarkup(<ProfileForm />)
  const id = attribute(good, 'input', 'id')
  expect(attribute(good, 'label', 'for')).toBe(id)
  expect(attribute(good, 'input', 'aria-describedby')).toBe(`${id}-hint`)
  expect(good).toContain(`id="${id}-hint"`)
  expect(good).toContain('<i>false</i>')

  const bad = renderToStaticMarkup(<ProfileForm error="This name is taken." />)
  const badId = attribute(bad, 'input', 'id')
  expect(attribute(bad, 'input', 'aria-invalid')).toBe('true')
  expect(attribute(bad, 'input', 'aria-describedby')).toBe(`${badId}-error ${badId}-hint`)
  expect(bad).toMatch(/role="alert"[^>]*>This name is taken\.</)
  expect(bad).toContain('<i>true</i>')
})

it('a dialog can be opened by a trigger inside it', () => {
  expect(renderToStaticMarkup(<EditDialog />)).toContain('aria-haspopup="dialog"')
})

it('every variant and size that generated code uses has its own class names', () => {
  const plain = buttonVariants({})
  for (const variant of ['secondary', 'outline', 'ghost', 'link', 'destructive'] as const) {
    expect(buttonVariants({ variant })).not.toBe(plain)
  }
  for (const size of ['xs', 'sm', 'lg', 'icon', 'icon-xs', 'icon-sm', 'icon-lg'] as const) {
    expect(buttonVariants({ size })).not.toBe(plain)
  }
  for (const variant of ['secondary', 'destructive', 'outline', 'ghost', 'link'] as const) {
    expect(badgeVariants({ variant })).not.toBe(badgeVariants({}))
  }
})
