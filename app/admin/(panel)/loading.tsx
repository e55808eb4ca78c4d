import { adminTexts } from '@/lib/admin/messages'

export default function AdminLoading() {
  return (
    <main className="grid min-h-[60dvh] place-items-center px-5" aria-busy>
      <p role="status" className="text-lg text-muted">
        {adminTexts.loading}
      </p>
    </main>
  )
}
