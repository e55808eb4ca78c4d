'use client'

import { useEffect, useRef, useState } from 'react'
import { helpChatTexts } from '@/lib/help-chat/messages'
import { canSend, type ChatMessage, REPLY_AFTER_MS, replyTo } from '@/lib/help-chat/rules'

const greeting: ChatMessage = { id: 0, role: 'assistant', content: helpChatTexts.greeting, timestamp: 0 }

/**
 * Returns the conversation, whether a reply is pending, and a function that asks a question. Replies are made in the
 * browser, without a call.
 */
export function useConversation() {
  const [messages, setMessages] = useState<ChatMessage[]>([greeting])
  const [isPending, setIsPending] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function addMessage(role: ChatMessage['role'], content: string) {
    setMessages((all) => [...all, { id: all.length, role, content, timestamp: Date.now() }])
  }

  /**
   * Returns whether the question was sent. A blank question is not sent, and neither is a question that is asked while
   * a reply is pending.
   */
  function ask(question: string): boolean {
    if (!canSend(question, isPending)) return false
    addMessage('user', question.trim())
    setIsPending(true)
    timer.current = setTimeout(() => {
      addMessage('assistant', replyTo(question))
      setIsPending(false)
    }, REPLY_AFTER_MS)
    return true
  }

  return { messages, isPending, ask }
}
