'use client'

import { createContext, type ReactNode, useContext, useRef, useState } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { ApiError } from '@/lib/client/call-api'
import { type StepUpActions, StepUpForm } from './step-up-form'

type Guarded = <Value>(work: () => Promise<Value>) => Promise<Value>

const StepUpContext = createContext<Guarded>((work) => work())

/**
 * Returns a function that runs a call. If the server requires the second factor, the function asks for it and runs the
 * call again.
 */
export const useStepUp = () => useContext(StepUpContext)

export function StepUpProvider({ actions, children }: { actions: StepUpActions; children: ReactNode }) {
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
          <DialogSheet title="Confirm that it's you" description="You won't be asked again for ten minutes.">
            <div className="pb-2">
              <StepUpForm
                actions={actions}
                button="Confirm"
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
