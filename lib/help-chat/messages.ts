import { brand } from '@/lib/kernel/brand'

/**
 * The texts of the help chat. docs/product.md#help-chat fixes the name "AI Assistant". The answers and their keywords
 * are in answer-messages.ts and rules.ts, which are loaded only when the chat is opened.
 */
export const helpChatTexts = {
  title: 'AI Assistant',
  invitation: 'Have a question? Ask here.',
  greeting: `Hi! I answer questions about ${brand.name}: orders, refunds, drops, plans, payments and more. What would you like to know?`,
  placeholder: 'Ask me anything...',
  typing: 'AI Assistant is typing',
  failed: "I'm having trouble right now. Please try again in a moment or contact support if the issue persists.",
} as const
