import { type ReactNode, useState } from 'react'
import { Banner, type BannerTone } from '../panels/banner.tsx'

/** One dismissible banner; a new notice replaces the last. */
export function useNotice(className?: string) {
  const [notice, setNotice] = useState<{ tone: BannerTone; text: ReactNode; at: number }>()
  const clearNotice = () => setNotice(undefined)
  return {
    showNotice: (tone: BannerTone, text: ReactNode) => setNotice({ tone, text, at: Date.now() }),
    clearNotice,
    noticeBanner: notice && (
      <Banner key={notice.at} tone={notice.tone} className={className} onDismiss={clearNotice}>
        {notice.text}
      </Banner>
    ),
  }
}
