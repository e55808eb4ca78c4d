'use client'

import { useEffect, useRef } from 'react'
import { cn } from '@/components/ui/class-names'
import { helpChatTexts } from '@/lib/help-chat/messages'
import type { ChatMessage } from '@/lib/help-chat/rules'
import { ChatText } from './chat-text'

/** The space above the latest question. */
const MARGIN_PX = 16

type ChatLogProps = { messages: ChatMessage[]; isPending: boolean; isOpen: boolean }

/** Shows the conversation, with the latest question at the top, so that a long reply is read from its beginning. */
export function ChatLog({ messages, isPending, isOpen }: ChatLogProps) {
  const log = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = log
    const question = [...(current?.querySelectorAll('[data-question]') ?? [])].at(-1)
    if (!current || !question) return
    const above = question.getBoundingClientRect().top - current.getBoundingClientRect().top
    current.scrollTo({ top: current.scrollTop + above - MARGIN_PX })
  }, [messages, isPending, isOpen])
  return (
    <div
      ref={log}
      role="log"
      aria-label="Conversation"
      tabIndex={0}
      className="grid min-h-0 flex-1 content-start gap-2.5 overflow-y-auto overscroll-contain p-4 -outline-offset-2"
    >
      {messages.map(({ id, role, content }) => (
        <div
          key={id}
          data-question={role === 'user' ? '' : undefined}
          className={cn(
            'max-w-[88%] rounded-card px-3.5 py-2.5 text-[0.9375rem] leading-relaxed',
            role === 'user' ? 'justify-self-end bg-ink whitespace-pre-line text-paper' : 'justify-self-start bg-sunken',
          )}
        >
          <span className="sr-only">{role === 'user' ? 'You: ' : `${helpChatTexts.title}: `}</span>
          {role === 'user' ? content : <ChatText text={content} />}
        </div>
      ))}
      {isPending ? <Typing /> : null}
    </div>
  )
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
          className="size-1.5 animate-bounce rounded-full bg-muted-foreground"
          style={{ animationDelay: `${dot * 120}ms` }}
        />
      ))}
    </p>
  )
}
