'use client'

import { useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { ChoiceSelect } from '@/components/ui/choice-select'
import { accountName } from '@/lib/accounts/messages'
import { adminTexts } from '@/lib/admin/messages'
import type { AdminUserView } from '@/lib/admin/view'
import { adminKeys } from './admin-keys'
import { ExportLink } from './export-link'
import { FilterChips } from './filter-chips'
import { ListFrame, SearchBox } from './list-frame'
import { ManageUser } from './manage-user'
import { PlainDate } from './plain-date'
import { knownChoice, type TabFilters, useAddressFilters } from './use-address-filters'
import { useAdminList } from './use-admin-list'

const shown = [
  ['all', 'All users'],
  ['pro', 'Pro'],
  ['free', 'Free'],
  ['suspended', 'Suspended'],
  ['disconnected', 'Payouts disconnected'],
  ['admin', 'Admins'],
  ['deleted', 'Deleted'],
] as const

/**
 * Shows the Users tab with a search, a filter, an export and the list of users. Each row opens the dialog that manages
 * its user (docs/product.md#users-tab).
 */
export function UsersTab({ initial }: { initial: TabFilters }) {
  const [typed, setTyped] = useState(initial.q ?? '')
  const [show, setShow] = useState(() => knownChoice(initial.show, shown))
  const [managedId, setManagedId] = useState<number | null>(null)
  const list = useAdminList<AdminUserView>(adminKeys.users, typed, { show })
  useAddressFilters('users', { q: typed, show })
  const managed = list.items.find(({ id }) => id === managedId) ?? null
  return (
    <div className="grid gap-4">
      <div className="grid grid-cols-[1fr_auto] gap-3 md:grid-cols-[1fr_11rem_auto]">
        <SearchBox label={adminTexts.searchUsers} value={typed} onChange={setTyped} />
        <ChoiceSelect label="Show" choices={shown} value={show} onChange={(event) => setShow(event.target.value)} />
        <ExportLink list="users" />
      </div>
      <FilterChips list="Users" />
      <ListFrame list={list} empty="No users found.">
        {list.items.map((user) => (
          <UserRow key={user.id} user={user} onOpen={() => setManagedId(user.id)} />
        ))}
      </ListFrame>
      {managed ? <ManageUser key={managed.id} user={managed} onClose={() => setManagedId(null)} /> : null}
    </div>
  )
}

function UserRow({ user, onOpen }: { user: AdminUserView; onOpen: () => void }) {
  const name = accountName(user.username, user.email)
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="grid w-full grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1 px-4 py-3 text-start hover:bg-sunken md:grid-cols-[auto_1fr_auto_9rem] lg:py-2"
      >
        <span
          aria-hidden
          className="row-span-2 grid size-10 place-items-center rounded-full bg-ink font-display font-bold text-paper md:row-span-1"
        >
          {(user.username ?? user.email).charAt(0).toUpperCase()}
        </span>
        <span className="grid min-w-0 md:flex md:gap-3">
          <span className="truncate font-semibold md:shrink-0">{name}</span>
          {/* Without a username, the name is the email address. */}
          {user.username ? <span className="truncate text-sm text-muted md:self-center">{user.email}</span> : null}
        </span>
        <span className="flex flex-wrap gap-1.5">
          {user.isAdmin ? <Badge variant="default">Admin</Badge> : null}
          {user.plan === 'pro' ? <Badge variant="good">Pro Plan</Badge> : <Badge variant="secondary">Free</Badge>}
          {user.isVerified ? <Badge variant="secondary">Verified</Badge> : null}
          {user.isSuspended ? <Badge variant="destructive">Suspended</Badge> : null}
          {user.payoutsStoppedUntil ? <Badge variant="warn">Payouts on hold</Badge> : null}
          {user.isDeleted ? <Badge variant="secondary">Deleted</Badge> : null}
        </span>
        <span className="col-start-2 text-sm text-muted md:col-start-auto md:text-end">
          Joined <PlainDate iso={user.createdAt} />
        </span>
      </button>
    </li>
  )
}
