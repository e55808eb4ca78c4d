import { brand } from '@/lib/kernel/brand'

/** SPEC §2 and §8, Help chat. What it answers stands with the keywords in rules.ts, which is loaded when it is opened. */
export const helpChatTexts = {
  title: 'AI Assistant',
  invitation: 'A question? Ask here.',
  greeting: `Hi! I answer questions about ${brand.name}: drops, plans, payments, links and more. What would you like to know?`,
  placeholder: 'Ask me anything...',
  typing: 'AI Assistant is typing',
  failed: "I'm having trouble right now. Please try again in a moment or contact support if the issue persists.",
} as const
