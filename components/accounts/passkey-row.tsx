'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { LocalTime } from '@/components/drops/local-time'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { accountToasts } from '@/lib/accounts/messages'
import {
  passkeyNameSchema,
  type RemovePasskeyInput,
  type RenamePasskeyInput,
} from '@/lib/accounts/passkeys/passkey-schema'
import { PASSKEY_NAME_MAX } from '@/lib/accounts/rules'
import type { PasskeyView } from '@/lib/accounts/view'
import { callAction } from '@/lib/client/call-action'
import { failureText } from '@/lib/client/call-api'
import { callGuardedAction } from '@/lib/client/call-guarded-action'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { useStepUp } from './step-up-provider'

type PasskeyRowProps = {
  passkey: PasskeyView
  onRename: ServerAction<RenamePasskeyInput>
  onRemove: ServerAction<RemovePasskeyInput>
}

/** Shows one passkey of the account, with buttons to rename and to remove it. */
export function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  const [isRenaming, setIsRenaming] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  const [isRemoving, setIsRemoving] = useState(false)
  const stepUp = useStepUp()

  async function remove(): Promise<void> {
    setIsRemoving(true)
    // The dialog for the second factor may open next, and only one dialog can be open.
    setIsAsking(false)
    try {
      const outcome = await stepUp(() => callGuardedAction(onRemove, { passkeyId: passkey.id }))
      if (outcome.ok) toast(accountToasts.passkeyRemoved)
      else toast({ title: 'Error', description: outcome.error, tone: 'bad' })
    } catch (error) {
      toast({ title: 'Error', description: failureText(error), tone: 'bad' })
    } finally {
      setIsRemoving(false)
    }
  }

  return (
    <li className="grid gap-3 rounded-control border p-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <KeyRound aria-hidden className="size-5 shrink-0 text-muted" />
        <div className="grid min-w-[min(10rem,100%)] flex-1 gap-0.5">
          <p className="font-semibold break-words">{passkey.name}</p>
          <p className="text-sm text-muted">
            Added <LocalTime iso={passkey.addedAt} />
            {passkey.lastUsedAt ? (
              <>
                , last used <LocalTime iso={passkey.lastUsedAt} />
              </>
            ) : (
              ', not used yet'
            )}
          </p>
        </div>
        {isRenaming ? null : (
          <div className="flex flex-wrap gap-2">
            <Button variant="outline" size="sm" onClick={() => setIsRenaming(true)}>
              Rename<span className="sr-only"> {passkey.name}</span>
            </Button>
            <Button variant="ghost" size="sm" isBusy={isRemoving} onClick={() => setIsAsking(true)}>
              Remove<span className="sr-only"> {passkey.name}</span>
            </Button>
          </div>
        )}
      </div>
      {isRenaming ? <RenameForm passkey={passkey} onSend={onRename} onClose={() => setIsRenaming(false)} /> : null}
      <ConfirmDialog
        title="Remove this passkey?"
        text={`You won't be able to sign in with ${passkey.name} anymore. Removing it also signs out all your other devices.`}
        confirm="Remove passkey"
        keep="Keep it"
        isOpen={isAsking}
        isPending={isRemoving}
        onConfirm={() => void remove()}
        onClose={() => setIsAsking(false)}
      />
    </li>
  )
}

type RenameFormProps = { passkey: PasskeyView; onSend: ServerAction<RenamePasskeyInput>; onClose: () => void }

function RenameForm({ passkey, onSend, onClose }: RenameFormProps) {
  const { control, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(passkeyNameSchema),
    defaultValues: { name: passkey.name },
  })
  const send = handleSubmit(async ({ name }) => {
    const outcome = await callAction(onSend, { passkeyId: passkey.id, name })
    if (!outcome.ok) return setError('name', { message: outcome.error }, { shouldFocus: true })
    toast(accountToasts.passkeyRenamed)
    onClose()
  })
  return (
    <form noValidate className="grid gap-3" onSubmit={(event) => void send(event)}>
      <LabeledField control={control} name="name" id={`passkey-name-${passkey.id}`} label="Passkey name">
        {(field) => <Input {...field} autoComplete="off" maxLength={PASSKEY_NAME_MAX} />}
      </LabeledField>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="sm" isBusy={formState.isSubmitting}>
          Save
        </Button>
        <Button variant="ghost" size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
