import { Check } from 'lucide-react'
import type { Plan } from '@/lib/kernel/plan'
import { planRules } from '@/lib/plans/rules'

const percent = (plan: Plan) => `${planRules({ plan, isAdmin: false }).feeBps / 100}%`

const benefits = [
  ['No website needed', 'Your link is your shop. Put it in your bio, a story or a group chat.'],
  ['Paid by card, in minutes', 'Connect payouts in minutes. Money reaches your bank in 2-7 business days.'],
  ['Buyers need no account', 'They see the price, the time left and the stock, and pay on a secure card page.'],
  ['Never oversold', 'We reserve a unit while someone pays, so the last one is only sold once.'],
  ['The clock is real', "The countdown runs on our server and is the same for everyone. Reloading doesn't restart it."],
  ['Free to start', `No monthly fee. Pay ${percent('free')} when you sell, or ${percent('pro')} on Pro.`],
] as const

export function Benefits() {
  return (
    <section
      aria-labelledby="benefits-heading"
      className="grid gap-8 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] md:gap-16"
    >
      <h2 id="benefits-heading" className="text-3xl font-bold md:text-5xl">
        Everything a small shop needs, with a deadline
      </h2>
      <ul className="grid gap-x-10 gap-y-7 sm:grid-cols-2">
        {benefits.map(([title, text]) => (
          <li key={title} className="grid grid-cols-[auto_1fr] gap-x-3">
            <Check aria-hidden className="mt-0.5 size-5 text-good" strokeWidth={2.5} />
            <div className="grid content-start gap-1">
              <h3 className="text-lg leading-snug font-bold">{title}</h3>
              <p className="leading-relaxed text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
