import { useState } from 'react'
import { Banner } from '#web/ui/panels/banner.tsx'

interface Notice {
  tone: 'success' | 'error'
  text: string
  detail: string | undefined
  at: number
}

export type Notify = (tone: Notice['tone'], text: string, detail?: string) => void

/** Holds the newest notice of a page; success notices dismiss themselves. */
export function useDomainNotice(): { notice: Notice | undefined; notify: Notify; dismiss: () => void } {
  const [notice, setNotice] = useState<Notice>()
  return {
    notice,
    notify: (tone, text, detail) => setNotice({ tone, text, detail, at: Date.now() }),
    dismiss: () => setNotice(undefined),
  }
}

interface NoticeBannerProps {
  notice: Notice | undefined
  onDismiss: () => void
  className?: string
}

export function NoticeBanner({ notice, onDismiss, className }: NoticeBannerProps) {
  if (!notice) return null
  return (
    <Banner key={notice.at} tone={notice.tone} className={className} onDismiss={onDismiss}>
      <span className={notice.detail ? 'font-semibold' : undefined}>{notice.text}</span>
      {notice.detail && <span className="block">{notice.detail}</span>}
    </Banner>
  )
}
