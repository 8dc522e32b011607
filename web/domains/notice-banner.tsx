import { useState } from 'react'
import { Banner } from '#web/ui/panels/banner.tsx'
import type { Notify } from './domain-detail.tsx'
import type { DomainNotice } from './domain-queries.ts'

/** Holds the newest notice of a page; success notices dismiss themselves. */
export function useNotice(): { notice: DomainNotice | undefined; notify: Notify; dismiss: () => void } {
  const [notice, setNotice] = useState<DomainNotice>()
  return {
    notice,
    notify: (tone, text, detail) => setNotice({ tone, text, at: Date.now(), ...(detail && { detail }) }),
    dismiss: () => setNotice(undefined),
  }
}

export function NoticeBanner({
  notice,
  onDismiss,
  className,
}: {
  notice: DomainNotice | undefined
  onDismiss: () => void
  className: string
}) {
  if (!notice) return null
  return (
    <Banner key={notice.at} tone={notice.tone} className={className} onDismiss={onDismiss}>
      <span className={notice.detail ? 'font-semibold' : undefined}>{notice.text}</span>
      {notice.detail && <span className="block">{notice.detail}</span>}
    </Banner>
  )
}
