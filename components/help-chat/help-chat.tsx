'use client'

import { clsx } from 'clsx'
import { MessageCircle } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { toast } from '@/lib/client/toast-store'
import { helpChatTexts } from '@/lib/help-chat/messages'

type Panel = ComponentType<{ isOpen: boolean; onClose: () => void }>

/** On these pages, which have dense lists or a payment, the button does not float but is at the end of the page. */
const PAGES_WITH_INLINE_BUTTON = /^\/(?:admin|checkout)(?:\/|$)/

/** Shorter scroll movements are ignored, because a trembling hand can cause them. */
const TREMBLE_PX = 8

/**
 * Shows the round help button, which the root layout puts on every page. The script of the conversation is loaded when
 * the chat is first opened. While the chat is closed, the conversation is kept. Where there is no space beside the
 * page, the button has a bar of its own or is in the page's bar (`data-bottom-bar`, see app/globals.css), so that it
 * does not cover the text. Its own bar is hidden after someone has scrolled down.
 */
export function HelpChat() {
  const [panel, setPanel] = useState<{ Panel: Panel } | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const isInPage = PAGES_WITH_INLINE_BUTTON.test(usePathname())
  const isAway = useHiddenWhileScrolling()

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
    // The button is hidden until the next frame and cannot take the focus before then.
    requestAnimationFrame(() => button.current?.focus())
  }

  return (
    <>
      <div
        data-words={helpChatTexts.invitation}
        className={clsx(
          'print:hidden',
          // A button at the end of the page must not slide away. It would slide below the end and make the page longer,
          // so that a link near the end would move while someone presses it.
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
 * Returns true after someone has scrolled down. It becomes false when someone scrolls up, and at the top and the end of
 * the page.
 */
function useHiddenWhileScrolling(): boolean {
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
