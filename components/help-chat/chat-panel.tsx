'use client'

import { SendHorizontal, X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { cn } from '@/components/ui/class-names'
import { helpChatTexts } from '@/lib/help-chat/messages'
import { canSend, type ChatMessage, MAX_QUESTION, REPLY_AFTER_MS, replyTo } from '@/lib/help-chat/rules'
import { ChatText } from './chat-text'

const greeting: ChatMessage = { id: 0, role: 'assistant', content: helpChatTexts.greeting, timestamp: 0 }

/**
 * The conversation. Answers are found in the browser, without a call. It is not modal, so that the page stays usable.
 */
export function ChatPanel({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [messages, setMessages] = useState<ChatMessage[]>([greeting])
  const [isPending, setIsPending] = useState(false)
  const [text, setText] = useState('')
  const input = useRef<HTMLTextAreaElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const log = useRef<HTMLDivElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    if (isOpen) input.current?.focus()
  }, [isOpen])
  useEffect(() => (isOpen ? keepAboveBar(panel.current) : undefined), [isOpen])
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight })
  }, [messages, isPending, isOpen])

  function say(role: ChatMessage['role'], content: string) {
    setMessages((all) => [...all, { id: all.length, role, content, timestamp: Date.now() }])
  }

  function send() {
    if (!canSend(text, isPending)) return
    say('user', text.trim())
    setText('')
    setIsPending(true)
    timer.current = setTimeout(() => {
      say('assistant', replyTo(text))
      setIsPending(false)
    }, REPLY_AFTER_MS)
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    send()
    input.current?.focus()
  }

  function onInputKey(event: KeyboardEvent) {
    // On keyboards that compose characters, Enter also confirms a character; that must not send the message.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }

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
      <div
        ref={log}
        role="log"
        aria-label="Conversation"
        tabIndex={0}
        className="grid min-h-0 flex-1 content-start gap-2.5 overflow-y-auto overscroll-contain p-4 -outline-offset-2"
      >
        {messages.map(({ id, role, content }) => (
          <p
            key={id}
            className={cn(
              'max-w-[88%] rounded-card px-3.5 py-2.5 text-[0.9375rem] leading-relaxed whitespace-pre-line',
              role === 'user' ? 'justify-self-end bg-ink text-paper' : 'justify-self-start bg-sunken',
            )}
          >
            <span className="sr-only">{role === 'user' ? 'You: ' : `${helpChatTexts.title}: `}</span>
            {role === 'user' ? content : <ChatText text={content} />}
          </p>
        ))}
        {isPending ? <Typing /> : null}
      </div>
      <form onSubmit={onSubmit} className="flex items-end gap-2 border-t p-2.5">
        <textarea
          ref={input}
          rows={1}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onInputKey}
          maxLength={MAX_QUESTION}
          placeholder={helpChatTexts.placeholder}
          aria-label={helpChatTexts.placeholder}
          autoComplete="off"
          enterKeyHint="send"
          className="field-sizing-content max-h-28 min-h-11 min-w-0 flex-1 resize-none rounded-control border border-control bg-surface px-3 py-2.5 text-base leading-snug text-ink placeholder:text-muted"
        />
        <button
          type="submit"
          aria-label="Send"
          aria-disabled={!canSend(text, isPending)}
          className="grid size-11 shrink-0 place-items-center rounded-control bg-ink text-paper transition-opacity duration-150 aria-disabled:opacity-50"
        >
          <SendHorizontal aria-hidden className="size-5" />
        </button>
      </form>
    </div>
  )
}

/** Keeps the panel above the bar at the lower edge of the page, whatever height the bar has at the moment. */
function keepAboveBar(panel: HTMLElement | null): (() => void) | undefined {
  const bar = document.querySelector('[data-bottom-bar]')
  if (!panel || !bar) return undefined
  const observer = new ResizeObserver(() => {
    // On wide screens the bar is a normal part of the page and covers nothing.
    const height = getComputedStyle(bar).position === 'static' ? 0 : bar.getBoundingClientRect().height
    panel.style.setProperty('--bottom-bar', `${height}px`)
  })
  observer.observe(bar)
  return () => observer.disconnect()
}

function Typing() {
  return (
    <p
      role="status"
      aria-label={helpChatTexts.typing}
      className="flex gap-1 justify-self-start rounded-card bg-sunken px-4 py-4"
    >
      {[0, 1, 2].map((dot) => (
        <span
          key={dot}
          aria-hidden
          className="size-1.5 animate-bounce rounded-full bg-muted"
          style={{ animationDelay: `${dot * 120}ms` }}
        />
      ))}
    </p>
  )
}
