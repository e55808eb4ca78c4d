'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { Input } from '@/components/ui/input'
import { LabelledField } from '@/components/ui/labelled-field'
import { accountTexts, accountToasts } from '@/lib/accounts/messages'
import { profileSchema } from '@/lib/accounts/schema'
import type { UserView } from '@/lib/accounts/view'
import { ApiError, callApi, failureText } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'
import { uploadForm } from '@/lib/client/upload-form'
import { ProfileImageField } from './profile-image-field'
import { useProfileImage } from './use-profile-image'

type EditProfileDialogProps = { user: UserView; isOpen: boolean; onClose: () => void }

export function EditProfileDialog({ user, isOpen, onClose }: EditProfileDialogProps) {
  return (
    <Dialog open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogSheet title="Edit Profile">
        <ProfileForm user={user} onClose={onClose} />
      </DialogSheet>
    </Dialog>
  )
}

const formSchema = z.required(z.omit(profileSchema, { password: true }))
type FormValues = z.infer<typeof formSchema> & { password?: string }

function ProfileForm({ user, onClose }: { user: UserView; onClose: () => void }) {
  const queryClient = useQueryClient()
  const image = useProfileImage(user.profileImageUrl)
  const { control, handleSubmit, formState, setError } = useForm<FormValues>({
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
        ...(isNewAddress ? { description: `Confirm ${values.email} with the link we emailed you.` } : {}),
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

  return (
    <form noValidate onSubmit={(event) => void save(event)} className="grid gap-5">
      <ProfileImageField name={user.firstName || user.username || '?'} image={image} />
      <div className="grid grid-cols-2 gap-3">
        <LabelledField control={control} name="firstName" id="profile-firstName" label="First name">
          {(field) => <Input {...field} autoComplete="given-name" enterKeyHint="next" maxLength={60} />}
        </LabelledField>
        <LabelledField control={control} name="lastName" id="profile-lastName" label="Last name">
          {(field) => <Input {...field} autoComplete="family-name" enterKeyHint="next" maxLength={60} />}
        </LabelledField>
      </div>
      <LabelledField
        control={control}
        name="email"
        id="profile-email"
        label="Email"
        hint="We'll send a link to confirm a new address."
      >
        {(field) => <Input {...field} type="email" inputMode="email" autoComplete="email" enterKeyHint="done" />}
      </LabelledField>
      {formState.dirtyFields.email ? (
        <LabelledField control={control} name="password" id="profile-password" label="Your password">
          {(field) => <Input {...field} type="password" autoComplete="current-password" enterKeyHint="done" />}
        </LabelledField>
      ) : null}
      {user.plan === 'free' && !user.isAdmin ? <UpgradeHint onClick={onClose} /> : null}
      <Button type="submit" size="lg" disabled={formState.isSubmitting}>
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
      <Button variant="outline" size="sm" onClick={upgrade}>
        Upgrade
      </Button>
    </div>
  )
}
