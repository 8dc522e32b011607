import { type ReactNode, useState } from 'react'
import { Banner, type BannerTone } from '../panels/banner.tsx'

export type ShowNotice = (tone: BannerTone, text: ReactNode, detail?: string) => void

/** One dismissible banner; a new notice replaces the last. */
export function useNotice(className?: string) {
  const [notice, setNotice] = useState<{
    tone: BannerTone
    text: ReactNode
    detail?: string | undefined
    shownAt: number
  }>()
  const clearNotice = () => setNotice(undefined)
  const showNotice: ShowNotice = (tone, text, detail) => setNotice({ tone, text, detail, shownAt: Date.now() })
  return {
    showNotice,
    clearNotice,
    noticeBanner: notice && (
      <Banner key={notice.shownAt} tone={notice.tone} className={className} onDismiss={clearNotice}>
        <span className={notice.detail ? 'font-semibold' : undefined}>{notice.text}</span>
        {notice.detail && <span className="block">{notice.detail}</span>}
      </Banner>
    ),
  }
}
