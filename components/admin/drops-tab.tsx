'use client'

import { useState } from 'react'
import { NativeSelect } from '@/components/ui/native-select'
import { adminTexts, adminToasts } from '@/lib/admin/messages'
import type { UpdateDropInput } from '@/lib/admin/schema'
import type { AdminDropView } from '@/lib/admin/view'
import { adminKeys } from './admin-keys'
import { ExportLink } from './export-link'
import { useAdminList } from './use-admin-list'
import { DeleteDrop } from './delete-drop'
import { DropRow } from './drop-row'
import { ListFrame, SearchBox } from './list-frame'
import { ManageDrop } from './manage-drop'
import { useAdminChange } from './use-admin-change'

type Open = { dropId: number; what: 'manage' | 'delete' }

/**
 * The Drops tab: a type filter, a search, rows that link to the drop's page, and a delete button that does not
 * (docs/product.md#drops-tab).
 */
export function DropsTab() {
  const [typed, setTyped] = useState('')
  const [type, setType] = useState('all')
  const [show, setShow] = useState('all')
  const [open, setOpen] = useState<Open | null>(null)
  const change = useAdminChange()
  const list = useAdminList<AdminDropView>(adminKeys.drops, typed, { type, show })
  const drop = open ? list.items.find(({ id }) => id === open.dropId) : undefined
  const close = () => setOpen(null)
  const path = `/api/admin/drops/${open?.dropId ?? 0}`

  // A switch leaves the dialog open; a single action closes it.
  const patch = (body: UpdateDropInput) =>
    change
      .mutateAsync({ method: 'PATCH', path, body, done: adminToasts.dropUpdated, failed: adminToasts.dropFailed })
      .then(body.action ? close : undefined, () => undefined)
  const remove = () =>
    change
      .mutateAsync({ method: 'DELETE', path, done: adminToasts.dropDeleted, failed: adminToasts.dropDeleteFailed })
      .then(close, () => undefined)

  return (
    <div className="grid gap-4">
      <div className="grid grid-cols-[1fr_1fr_auto] gap-3 lg:grid-cols-[1fr_10rem_12rem_auto]">
        <SearchBox label={adminTexts.searchDrops} value={typed} onChange={setTyped} />
        <NativeSelect aria-label="Type" value={type} onChange={(event) => setType(event.target.value)}>
          <option value="all">All Types</option>
          <option value="physical">Physical</option>
          <option value="digital">Digital</option>
          <option value="service">Service</option>
        </NativeSelect>
        <NativeSelect aria-label="Show" value={show} onChange={(event) => setShow(event.target.value)}>
          <option value="all">All drops</option>
          <option value="active">Active</option>
          <option value="scheduled">Scheduled</option>
          <option value="inactive">Inactive</option>
          <option value="promoted">Featured or pinned</option>
          <option value="review">In review</option>
          <option value="removed">Deleted</option>
        </NativeSelect>
        <ExportLink list="drops" />
      </div>
      <ListFrame list={list} empty="No drops found.">
        {list.items.map((item) => (
          <DropRow
            key={item.id}
            drop={item}
            onManage={() => setOpen({ dropId: item.id, what: 'manage' })}
            onDelete={() => setOpen({ dropId: item.id, what: 'delete' })}
          />
        ))}
      </ListFrame>
      {drop && open?.what === 'manage' ? (
        <ManageDrop
          key={drop.id}
          drop={drop}
          isBusy={change.isPending}
          onPatch={(body) => void patch(body)}
          onClose={close}
        />
      ) : null}
      {drop && open?.what === 'delete' ? (
        <DeleteDrop drop={drop} isBusy={change.isPending} onConfirm={() => void remove()} onClose={close} />
      ) : null}
    </div>
  )
}
