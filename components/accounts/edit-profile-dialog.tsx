'use client'

import { useQuery } from '@tanstack/react-query'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { LoadingBlock } from '@/components/ui/loading-block'
import type { UserView } from '@/lib/accounts/view'
import { callApi } from '@/lib/client/call-api'
import type { PublicProfileView } from '@/lib/profiles/view'
import { ProfileForm } from './profile-form'
import { PUBLIC_PROFILE_KEY } from './use-profile-saves'

type EditProfileDialogProps = { user: UserView; isOpen: boolean; onClose: () => void }

export function EditProfileDialog({ user, isOpen, onClose }: EditProfileDialogProps) {
  return (
    <Dialog open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogSheet title="Edit Profile">
        <LoadedForm user={user} onClose={onClose} />
      </DialogSheet>
    </Dialog>
  )
}

/** Loads the texts of the public profile, which the page does not have, and then shows the form. */
function LoadedForm({ user, onClose }: { user: UserView; onClose: () => void }) {
  const { data, isFetchedAfterMount, refetch } = useQuery({
    queryKey: PUBLIC_PROFILE_KEY,
    // Another device may have changed the texts, so the form must not start with a cached response.
    gcTime: 0,
    retry: 1,
    refetchOnMount: 'always',
    queryFn: () => callApi<PublicProfileView>('GET', '/api/user/public-profile'),
  })
  // While a failed call is being retried, the query has neither data nor an error. The form must stay mounted
  // meanwhile, so that what was typed is not lost.
  if (!isFetchedAfterMount) return <LoadingBlock text="Loading your profile…" className="h-112" />
  return <ProfileForm user={user} words={data ?? null} onLoadWords={() => void refetch()} onClose={onClose} />
}
