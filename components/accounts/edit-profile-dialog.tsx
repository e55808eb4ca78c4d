'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { describedBy, Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { accountTexts, accountToasts } from '@/lib/accounts/messages'
import { profileSchema } from '@/lib/accounts/schema'
import type { UserView } from '@/lib/accounts/view'
import { ApiError, callApi, failureText } from '@/lib/client/api'
import { toast } from '@/lib/client/toast-store'
import { uploadForm } from '@/lib/client/upload'
import { ProfileImageField } from './profile-image-field'
import { useProfileImage } from './use-profile-image'

type EditProfileDialogProps = { user: UserView; isOpen: boolean; onClose: () => void }

export function EditProfileDialog({ user, isOpen, onClose }: EditProfileDialogProps) {
  return (
    <Dialog open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent title="Edit Profile">
        <ProfileForm user={user} onClose={onClose} />
      </DialogContent>
    </Dialog>
  )
}

const formSchema = z.required(z.omit(profileSchema, { password: true }))
type FormValues = z.infer<typeof formSchema> & { password?: string }

function ProfileForm({ user, onClose }: { user: UserView; onClose: () => void }) {
  const queryClient = useQueryClient()
  const image = useProfileImage(user.profileImageUrl)
  const { register, handleSubmit, formState, setError } = useForm<FormValues>({
    resolver: zodResolver(z.extend(formSchema, { password: z.optional(z.string()) })),
    defaultValues: { firstName: user.firstName, lastName: user.lastName, email: user.email },
  })
  const remember = (changed: UserView) => queryClient.setQueryData(['api', 'auth', 'user'], changed)

  const save = handleSubmit(async (values) => {
    try {
      const body = { ...values, password: values.password || undefined }
      const answer = await callApi<UserView & { pendingEmail: string | null }>('PATCH', '/api/user/profile', body)
      remember(answer)
      const isNewAddress = values.email.toLowerCase() !== user.email
      toast({
        ...accountToasts.profileUpdated,
        ...(isNewAddress ? { description: `Confirm ${values.email} with the link we sent there.` } : {}),
      })
    } catch (error) {
      const isAtField =
        error instanceof ApiError && error.field !== undefined && (error.field in values || error.field === 'password')
      if (isAtField) setError(error.field as keyof FormValues, { message: error.text }, { shouldFocus: true })
      // The toast does not repeat a message that is already shown at its field.
      toast({ ...accountToasts.profileFailed, ...(isAtField ? {} : { description: failureText(error) }), tone: 'bad' })
      return
    }
    if (await saveImage()) onClose()
  })

  /** Returns true when the picture is saved or there was nothing to save. */
  async function saveImage(): Promise<boolean> {
    try {
      if (image.file) {
        const form = new FormData()
        form.set('profileImage', image.file)
        remember((await uploadForm<{ user: UserView }>('/api/user/profile-image', form).done).user)
        toast(accountToasts.profileImageUpdated)
      } else if (image.isRemoved) {
        remember((await callApi<{ user: UserView }>('DELETE', '/api/user/profile-image')).user)
        toast(accountToasts.profileImageRemoved)
      }
      return true
    } catch {
      toast({
        ...(image.file ? accountToasts.profileImageFailed : accountToasts.profileImageRemoveFailed),
        tone: 'bad',
      })
      return false
    }
  }

  const control = (name: keyof FormValues) => ({
    id: `profile-${name}`,
    'aria-invalid': formState.errors[name] ? true : undefined,
    'aria-describedby': describedBy(`profile-${name}`, {
      error: Boolean(formState.errors[name]),
      hint: name === 'email',
    }),
    ...register(name),
  })
  return (
    <form noValidate onSubmit={(event) => void save(event)} className="grid gap-5">
      <ProfileImageField name={user.firstName || user.username || '?'} image={image} />
      <div className="grid grid-cols-2 gap-3">
        <Field id="profile-firstName" label="First name" error={formState.errors.firstName?.message}>
          <Input {...control('firstName')} autoComplete="given-name" enterKeyHint="next" maxLength={60} />
        </Field>
        <Field id="profile-lastName" label="Last name" error={formState.errors.lastName?.message}>
          <Input {...control('lastName')} autoComplete="family-name" enterKeyHint="next" maxLength={60} />
        </Field>
      </div>
      <Field
        id="profile-email"
        label="Email"
        error={formState.errors.email?.message}
        hint="A new address counts once you have followed the link we send there."
      >
        <Input {...control('email')} type="email" inputMode="email" autoComplete="email" enterKeyHint="done" />
      </Field>
      {formState.dirtyFields.email ? (
        <Field id="profile-password" label="Your password" error={formState.errors.password?.message}>
          <Input {...control('password')} type="password" autoComplete="current-password" enterKeyHint="done" />
        </Field>
      ) : null}
      {user.plan === 'free' && !user.isAdmin ? <UpgradeHint onClick={onClose} /> : null}
      <Button type="submit" size="large" disabled={formState.isSubmitting}>
        {formState.isSubmitting ? 'Saving...' : 'Save'}
      </Button>
    </form>
  )
}

/** Free users see an upgrade button here (docs/product.md#profile-and-picture). */
function UpgradeHint({ onClick }: { onClick: () => void }) {
  function upgrade() {
    onClick()
    window.dispatchEvent(new Event('show-upgrade-modal'))
  }
  return (
    <div className="flex items-center justify-between gap-3 rounded-card bg-sunken p-4">
      <p className="text-sm">{accountTexts.proHint}</p>
      <Button variant="outline" size="small" onClick={upgrade}>
        Upgrade
      </Button>
    </div>
  )
}
