import { Download } from 'lucide-react'
import { Button } from '@/components/ui/button'

export function DataSection() {
  return (
    <section id="data" className="grid gap-3">
      <h2 className="text-2xl font-bold">Your data</h2>
      <p className="text-muted">Download your account, devices, drops, orders and followers.</p>
      <div className="flex flex-wrap gap-3">
        {(['json', 'csv'] as const).map((format) => (
          <Button key={format} asChild variant="outline">
            <a href={`/api/user/export?format=${format}`} download>
              <Download aria-hidden />
              {format === 'json' ? 'Everything (JSON)' : 'Orders (CSV)'}
            </a>
          </Button>
        ))}
      </div>
    </section>
  )
}
