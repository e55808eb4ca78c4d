'use client'

import { createContext, type ReactNode, useContext, useRef, useState } from 'react'
import { CodeForm } from '@/components/accounts/code-form'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import type { CodeInput } from '@/lib/accounts/schema'
import { ApiError } from '@/lib/client/call-api'
import type { ServerAction } from '@/lib/kernel/action-outcome'

export type StepUpAction = ServerAction<CodeInput>

type Guarded = <Value>(work: () => Promise<Value>) => Promise<Value>

const StepUpContext = createContext<Guarded>((work) => work())

/** Runs a call. If the server first requires a second-factor code, it asks for the code and runs the call again. */
export const useStepUp = () => useContext(StepUpContext)

export function StepUpProvider({ onStepUp, children }: { onStepUp: StepUpAction; children: ReactNode }) {
  const [isAsking, setIsAsking] = useState(false)
  const answer = useRef<(hasGiven: boolean) => void>(undefined)

  const guarded: Guarded = async (work) => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'STEP_UP_REQUIRED') throw error
      setIsAsking(true)
      const hasGiven = await new Promise<boolean>((resolve) => (answer.current = resolve))
      setIsAsking(false)
      if (!hasGiven) throw error
      return work()
    }
  }

  const settle = (hasGiven: boolean) => answer.current?.(hasGiven)
  return (
    <StepUpContext value={guarded}>
      {children}
      {isAsking ? (
        <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : settle(false))}>
          <DialogSheet
            title="Confirm that it's you"
            description="Enter your two-factor code. You won't be asked again for ten minutes."
          >
            <div className="pb-2">
              <CodeForm
                label="Code from your authenticator app"
                button="Confirm"
                onSend={onStepUp}
                onDone={() => settle(true)}
                onCancel={() => settle(false)}
              />
            </div>
          </DialogSheet>
        </Dialog>
      ) : null}
    </StepUpContext>
  )
}
