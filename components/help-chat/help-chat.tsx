'use client'

import { clsx } from 'clsx'
import { MessageCircle } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { toast } from '@/lib/client/toast-store'
import { helpChatTexts } from '@/lib/help-chat/messages'

type Panel = ComponentType<{ isOpen: boolean; onClose: () => void }>

/** Where people work on dense lists or on a payment the button floats over nothing: it stands at the end of the page. */
const ENDS_WITH_IT = /^\/(?:admin|checkout)(?:\/|$)/

/** So little scrolling is a hand that trembles. */
const TREMBLE_PX = 8

/**
 * The round button on every page; the conversation itself is fetched with the first opening and stays while it is closed.
 * Where there is no room beside the page it lies on a bar of its own, or in the one the page has (`data-bottom-bar`, see
 * app/globals.css), so that it never lies over what is read or tapped. Its own bar gives way to who reads on.
 */
export function HelpChat() {
  const [panel, setPanel] = useState<{ Panel: Panel } | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const isInPage = ENDS_WITH_IT.test(usePathname())
  const isAway = useGivingWay()

  async function open() {
    try {
      if (!panel) setPanel({ Panel: (await import('./chat-panel')).ChatPanel })
      setIsOpen(true)
    } catch {
      toast({ title: helpChatTexts.title, description: helpChatTexts.failed, tone: 'bad', durationMs: 5000 })
    }
  }

  function close() {
    setIsOpen(false)
    // It is visible again with the next frame.
    requestAnimationFrame(() => button.current?.focus())
  }

  return (
    <>
      <div
        data-words={helpChatTexts.invitation}
        className={clsx(
          'print:hidden',
          // Moved, it would make a page longer that it stands in, and what is tapped at its end would slip from the finger.
          isInPage ? 'p-4' : ['help-bar', isAway && 'help-bar-away'],
          isOpen ? 'hidden' : 'flex justify-end',
        )}
      >
        <button
          ref={button}
          type="button"
          aria-label="Open help chat"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => void open()}
          className="grid size-13 place-items-center rounded-full bg-ink text-paper shadow-card transition-transform duration-150 hover:scale-105"
        >
          <MessageCircle aria-hidden className="size-6" />
        </button>
      </div>
      {panel ? <panel.Panel isOpen={isOpen} onClose={close} /> : null}
    </>
  )
}

/** Away while somebody scrolls down; back with the first move up, and where the page begins and ends. */
function useGivingWay(): boolean {
  const [isAway, setIsAway] = useState(false)
  useEffect(() => {
    let before = window.scrollY
    const onScroll = () => {
      const { scrollY, innerHeight } = window
      const isAtAnEnd = scrollY <= 0 || scrollY + innerHeight >= document.documentElement.scrollHeight - TREMBLE_PX
      if (!isAtAnEnd && Math.abs(scrollY - before) < TREMBLE_PX) return
      setIsAway(!isAtAnEnd && scrollY > before)
      before = scrollY
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => window.removeEventListener('scroll', onScroll)
  }, [])
  return isAway
}
