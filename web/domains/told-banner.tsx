import { useState } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import type { Tell } from './domain-detail.tsx'
import type { Told } from './domain-queries.ts'

/** Holds the newest notice of a page; success notices dismiss themselves. */
export function useTold(): { told: Told | undefined; tell: Tell; dismiss: () => void } {
  const [told, setTold] = useState<Told>()
  return {
    told,
    tell: (tone, text, why) => setTold({ tone, text, at: Date.now(), ...(why && { why }) }),
    dismiss: () => setTold(undefined),
  }
}

export function ToldBanner({
  told,
  onDismiss,
  className,
}: {
  told: Told | undefined
  onDismiss: () => void
  className: string
}) {
  if (!told) return null
  return (
    <Banner key={told.at} tone={told.tone} className={className} onDismiss={onDismiss}>
      <span className={told.why ? 'font-semibold' : undefined}>{told.text}</span>
      {told.why && <span className="block">{told.why}</span>}
    </Banner>
  )
}
