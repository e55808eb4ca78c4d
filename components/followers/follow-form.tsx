import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Label } from '@/components/ui/label'
import { TimezoneField } from '@/components/ui/timezone-field'
import { profilePath } from '@/lib/accounts/rules'
import { consentText, followerTexts } from '@/lib/followers/messages'
import type { FollowSource } from '@/lib/followers/rules'

type FollowFormProps = {
  username: string
  from: FollowSource
  /** The identifier of the drop, on a drop page. */
  drop?: string
}

/** Lets a visitor ask for emails about a seller's drops. It is a plain form, so it works without JavaScript. */
export function FollowForm({ username, from, drop }: FollowFormProps) {
  return (
    <form method="post" action={`${profilePath(username)}/follow`} className="grid max-w-prose gap-3">
      <input type="hidden" name="from" value={from} />
      {drop ? <input type="hidden" name="drop" value={drop} /> : null}
      <TimezoneField />
      <p id="follow-consent" className="text-sm text-muted">
        {consentText(username)}
      </p>
      <div className="grid gap-1.5">
        <Label htmlFor="follow-email">Your email</Label>
        <div className="flex flex-wrap gap-3">
          <Input
            id="follow-email"
            name="email"
            type="email"
            required
            maxLength={254}
            autoComplete="email"
            inputMode="email"
            enterKeyHint="send"
            aria-describedby="follow-consent"
            className="min-w-0 flex-[1_1_14rem]"
          />
          <Button type="submit" size="field">
            {followerTexts.button}
          </Button>
        </div>
      </div>
    </form>
  )
}
