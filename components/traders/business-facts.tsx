import { addressLines, type TraderView } from '@/lib/traders/view'

type Business = Extract<TraderView, { kind: 'business' }>

/** Shows where a business is, how to reach it, and where it is registered. */
export function BusinessFacts({ trader }: { trader: Business }) {
  const facts = [
    [trader.register, ''],
    [trader.vatId, 'VAT '],
    [trader.email, ''],
    [trader.phone, ''],
  ].filter(([value]) => value !== '')
  return (
    <div className="grid wrap-anywhere">
      <address className="not-italic">
        {addressLines(trader).map((line) => (
          <span key={line} dir="auto" className="block">
            {line}
          </span>
        ))}
      </address>
      {facts.map(([value, label]) => (
        <span key={value}>
          {label}
          {value}
        </span>
      ))}
    </div>
  )
}
