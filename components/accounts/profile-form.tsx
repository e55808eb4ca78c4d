'use client'

import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { Textarea } from '@/components/ui/textarea'
import { accountTexts } from '@/lib/accounts/messages'
import type { UserView } from '@/lib/accounts/view'
import { profileTexts } from '@/lib/profiles/messages'
import type { PublicProfileView } from '@/lib/profiles/view'
import { ProfileImageField } from './profile-image-field'
import { type ProfileControl, useProfileForm } from './use-profile-form'

type ProfileFormProps = {
  user: UserView
  /** The texts of the public profile, or null when they could not be loaded. */
  words: PublicProfileView | null
  onLoadWords: () => void
  onClose: () => void
}

/** Shows the form of "Edit Profile": the picture, the names, the texts of the public profile, and the email address. */
export function ProfileForm({ user, words, onLoadWords, onClose }: ProfileFormProps) {
  const { form, image, save } = useProfileForm(user, words, onClose)
  const { control, formState } = form
  return (
    <form noValidate onSubmit={(event) => void save(event)} className="grid gap-5">
      <ProfileImageField name={user.firstName || user.username || '?'} image={image} />
      <div className="grid grid-cols-2 gap-3">
        <LabeledField control={control} name="firstName" id="profile-firstName" label="First name">
          {(field) => <Input {...field} autoComplete="given-name" enterKeyHint="next" maxLength={60} />}
        </LabeledField>
        <LabeledField control={control} name="lastName" id="profile-lastName" label="Last name">
          {(field) => <Input {...field} autoComplete="family-name" enterKeyHint="next" maxLength={60} />}
        </LabeledField>
      </div>
      {words ? <PublicFields control={control} /> : <TextsMissing onLoad={onLoadWords} />}
      <LabeledField
        control={control}
        name="email"
        id="profile-email"
        label="Email"
        hint="We'll send a link to confirm a new address."
      >
        {(field) => <Input {...field} type="email" inputMode="email" autoComplete="email" enterKeyHint="done" />}
      </LabeledField>
      {formState.dirtyFields.email ? (
        <LabeledField control={control} name="password" id="profile-password" label="Your password">
          {(field) => <Input {...field} type="password" autoComplete="current-password" enterKeyHint="done" />}
        </LabeledField>
      ) : null}
      {user.plan === 'free' && !user.isAdmin ? <UpgradeHint onClick={onClose} /> : null}
      {/* The form is longer than most screens, and the button stays in view. */}
      <div className="form-end sticky -mx-5 grid border-t bg-surface px-5 pt-3 low:pt-1">
        <Button type="submit" size="lg" disabled={formState.isSubmitting}>
          {formState.isSubmitting ? 'Saving…' : 'Save'}
        </Button>
      </div>
    </form>
  )
}

/** Shows the fields for the description and the links of the public profile. */
function PublicFields({ control }: { control: ProfileControl }) {
  return (
    <>
      <LabeledField
        control={control}
        name="about"
        id="profile-about"
        label={profileTexts.aboutLabel}
        hint={profileTexts.aboutHint}
        optional
      >
        {(field) => <Input {...field} enterKeyHint="next" dir="auto" />}
      </LabeledField>
      <LabeledField
        control={control}
        name="links"
        id="profile-links"
        label={profileTexts.linksLabel}
        hint={profileTexts.linksHint}
        optional
      >
        {(field) => <Textarea {...field} rows={3} inputMode="url" autoCapitalize="none" spellCheck={false} />}
      </LabeledField>
    </>
  )
}

/** Replaces the fields of the public profile when its texts could not be loaded. The rest of the form still works. */
function TextsMissing({ onLoad }: { onLoad: () => void }) {
  return (
    <div role="alert" className="grid justify-items-start gap-3 rounded-card bg-sunken p-4">
      <p className="text-sm">{profileTexts.notLoaded}</p>
      <Button variant="outline" size="sm" onClick={onLoad}>
        Try again
      </Button>
    </div>
  )
}

/**
 * Shows an upgrade button to users on the free plan who are not administrators (docs/product.md#profile-and-picture).
 */
function UpgradeHint({ onClick }: { onClick: () => void }) {
  function upgrade() {
    onClick()
    window.dispatchEvent(new Event('show-upgrade-modal'))
  }
  return (
    <div className="flex items-center justify-between gap-3 rounded-card bg-sunken p-4">
      <p className="text-sm">{accountTexts.proHint}</p>
      <Button variant="outline" size="sm" onClick={upgrade}>
        Upgrade to Pro
      </Button>
    </div>
  )
}
