'use client'

import { clsx } from 'clsx'
import { MessageCircle } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { toast } from '@/lib/client/toast-store'
import { helpChatTexts } from '@/lib/help-chat/messages'

type Panel = ComponentType<{ isOpen: boolean; onClose: () => void }>

/** On pages with dense lists or a payment, the button does not float: it stands at the end of the page. */
const ENDS_WITH_IT = /^\/(?:admin|checkout)(?:\/|$)/

/** Scrolling by less than this is ignored, because a trembling hand causes it. */
const TREMBLE_PX = 8

/**
 * The round help button on every page. The conversation is fetched when it is first opened and is kept while it is
 * closed. Where there is no room beside the page, the button lies on a bar of its own or in the page's bar
 * (`data-bottom-bar`, see app/globals.css), so that it never covers what is read or tapped. Its own bar disappears
 * while somebody scrolls down.
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
    // The button is hidden until the next frame and cannot take the focus before.
    requestAnimationFrame(() => button.current?.focus())
  }

  return (
    <>
      <div
        data-words={helpChatTexts.invitation}
        className={clsx(
          'print:hidden',
          // On these pages the button must not move: it would make the page longer, and a target near its end would
          // slip away from the finger.
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

/**
 * Returns true while somebody scrolls down. It turns false with the first move up, and at the top and the end of the
 * page.
 */
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
