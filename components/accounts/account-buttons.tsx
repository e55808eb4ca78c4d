'use client'

import { useQuery } from '@tanstack/react-query'
import { Settings, UserPen } from 'lucide-react'
import { useState } from 'react'
import { HeaderButton } from '@/components/layout/header-button'
import type { UserView } from '@/lib/accounts/view'
import { callApi } from '@/lib/client/call-api'
import { EditProfileDialog } from './edit-profile-dialog'
import { SettingsDialog } from './settings-dialog'

/** Shows the Settings and Edit Profile buttons. Their dialogs show the account as it is after the latest change. */
export function AccountButtons({ user: initial }: { user: UserView }) {
  const [open, setOpen] = useState<'settings' | 'profile' | null>(null)
  const { data: user } = useQuery({
    queryKey: ['api', 'auth', 'user'],
    queryFn: () => callApi<UserView>('GET', '/api/auth/user'),
    initialData: initial,
  })
  const close = () => setOpen(null)
  return (
    <>
      <HeaderButton icon={Settings} label="Settings" onClick={() => setOpen('settings')} />
      <HeaderButton icon={UserPen} label="Edit Profile" onClick={() => setOpen('profile')} />
      <SettingsDialog user={user} isOpen={open === 'settings'} onClose={close} />
      <EditProfileDialog user={user} isOpen={open === 'profile'} onClose={close} />
    </>
  )
}
