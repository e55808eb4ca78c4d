'use client'

import { useState } from 'react'
import { ChoiceSelect } from '@/components/ui/choice-select'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { adminTexts, adminToasts } from '@/lib/admin/messages'
import type { UpdateDropInput } from '@/lib/admin/schema'
import type { AdminDropView } from '@/lib/admin/view'
import { adminKeys } from './admin-keys'
import { ExportLink } from './export-link'
import { FilterChips } from './filter-chips'
import { knownChoice, type TabFilters, useAddressFilters } from './use-address-filters'
import { useAdminList } from './use-admin-list'
import { DropListRow } from './drop-list-row'
import { ListFrame, SearchBox } from './list-frame'
import { ManageDrop } from './manage-drop'
import { useAdminChange } from './use-admin-change'

const types = [
  ['all', 'All Types'],
  ['physical', 'Physical'],
  ['digital', 'Digital'],
  ['service', 'Service'],
] as const

const shown = [
  ['all', 'All drops'],
  ['active', 'Active'],
  ['scheduled', 'Scheduled'],
  ['inactive', 'Inactive'],
  ['promoted', 'Featured or pinned'],
  ['review', 'In review'],
  ['removed', 'Deleted'],
] as const

type Open = { dropId: number; what: 'manage' | 'delete' }

/**
 * Shows the Drops tab with a search, two filters, an export and the list of drops. Each row has a button that opens the
 * dialog for managing its drop and, unless the drop was deleted, one for deleting it (docs/product.md#drops-tab).
 */
export function DropsTab({ initial }: { initial: TabFilters }) {
  const [typed, setTyped] = useState(initial.q ?? '')
  const [type, setType] = useState(() => knownChoice(initial.type, types))
  const [show, setShow] = useState(() => knownChoice(initial.show, shown))
  const [open, setOpen] = useState<Open | null>(null)
  const change = useAdminChange()
  const list = useAdminList<AdminDropView>(adminKeys.drops, typed, { type, show })
  useAddressFilters('drops', { q: typed, type, show })
  const drop = open ? list.items.find(({ id }) => id === open.dropId) : undefined
  const close = () => setOpen(null)
  const path = `/api/admin/drops/${open?.dropId ?? 0}`

  // A switch leaves the dialog open. An action, such as ending the drop, closes it.
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
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-[1fr_1fr_auto] md:grid-cols-[1fr_10rem_12rem_auto]">
        <SearchBox label={adminTexts.searchDrops} value={typed} onChange={setTyped} />
        <ChoiceSelect label="Type" choices={types} value={type} onChange={(event) => setType(event.target.value)} />
        <ChoiceSelect label="Show" choices={shown} value={show} onChange={(event) => setShow(event.target.value)} />
        <ExportLink list="drops" />
      </div>
      <FilterChips list="Drops" />
      <ListFrame list={list} empty="No drops found.">
        {list.items.map((item) => (
          <DropListRow
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
        <ConfirmDialog
          title="Delete this drop?"
          text={`${drop.title} ends and is hidden everywhere. We close unpaid checkouts and keep paid orders. You can restore the drop later.`}
          keep="Keep it"
          confirm="Delete drop"
          isOpen
          isPending={change.isPending}
          onConfirm={() => void remove()}
          onClose={close}
        />
      ) : null}
    </div>
  )
}
