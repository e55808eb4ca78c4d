'use client'

import { SendHorizontal } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { helpChatTexts } from '@/lib/help-chat/messages'
import { canSend, MAX_QUESTION } from '@/lib/help-chat/rules'

type QuestionFormProps = {
  isOpen: boolean
  isPending: boolean
  /** Returns whether the question was sent. */
  onAsk: (question: string) => boolean
}

/**
 * Shows the field for the next question. The form has no schema, because it shows no errors. A blank question is not
 * sent.
 */
export function QuestionForm({ isOpen, isPending, onAsk }: QuestionFormProps) {
  const [text, setText] = useState('')
  const input = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isOpen) input.current?.focus()
  }, [isOpen])

  function send() {
    if (onAsk(text)) setText('')
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    send()
    input.current?.focus()
  }

  function onInputKey(event: KeyboardEvent) {
    // An input method, for example for Japanese, uses Enter to accept a word. Such an Enter must not send the question.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }

  return (
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
  )
}
