'use client'

import { useEffect, useRef } from 'react'
import { cn } from '@/components/ui/class-names'
import { helpChatTexts } from '@/lib/help-chat/messages'
import type { ChatMessage } from '@/lib/help-chat/rules'
import { ChatText } from './chat-text'

type ChatLogProps = { messages: ChatMessage[]; isPending: boolean; isOpen: boolean }

/** Shows the conversation and keeps its end in view. */
export function ChatLog({ messages, isPending, isOpen }: ChatLogProps) {
  const log = useRef<HTMLDivElement>(null)
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight })
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
