import type { ReactNode } from 'react'

export default function AuthLayout({ children }: { children: ReactNode }) {
  return <div className="mx-auto min-h-[90dvh] w-full max-w-md px-5 py-4 md:py-12">{children}</div>
}
