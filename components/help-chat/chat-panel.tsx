'use client'

import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { cn } from '@/components/ui/class-names'
import { helpChatTexts } from '@/lib/help-chat/messages'
import { ChatLog } from './chat-log'
import { QuestionForm } from './question-form'
import { useConversation } from './use-conversation'

/** Shows the conversation in a panel that is not modal, so that the page can still be used. */
export function ChatPanel({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { messages, isPending, ask } = useConversation()
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => (isOpen ? keepAboveBar(panel.current) : undefined), [isOpen])

  return (
    <div
      ref={panel}
      role="dialog"
      aria-labelledby="help-chat-title"
      hidden={!isOpen}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
      className={cn(
        'help-panel fixed inset-x-4 z-30 flex-col overflow-hidden rounded-card border bg-surface shadow-card sm:start-auto sm:w-96',
        isOpen && 'flex animate-in duration-150 fade-in slide-in-from-bottom-2',
      )}
    >
      <div className="flex items-center justify-between gap-3 border-b py-1 pe-1 ps-4">
        <h2 id="help-chat-title" className="text-lg font-bold">
          {helpChatTexts.title}
        </h2>
        <button
          type="button"
          aria-label="Close help chat"
          onClick={onClose}
          className="grid size-11 place-items-center rounded-control text-muted hover:bg-sunken hover:text-ink"
        >
          <X aria-hidden className="size-5" />
        </button>
      </div>
      <ChatLog messages={messages} isPending={isPending} isOpen={isOpen} />
      <QuestionForm isOpen={isOpen} isPending={isPending} onAsk={ask} />
    </div>
  )
}

/** Keeps the panel above the bar at the bottom of the page, even when the height of the bar changes. */
function keepAboveBar(panel: HTMLElement | null): (() => void) | undefined {
  const bar = document.querySelector('[data-bottom-bar]')
  if (!panel || !bar) return undefined
  const observer = new ResizeObserver(() => {
    // On wide screens the bar is a normal part of the page and covers nothing.
    const isInPage = ['static', 'relative'].includes(getComputedStyle(bar).position)
    const height = isInPage ? 0 : bar.getBoundingClientRect().height
    panel.style.setProperty('--bottom-bar', `${height}px`)
  })
  observer.observe(bar)
  return () => observer.disconnect()
}
