import { useState } from 'react'
import type { Domain } from '#contract/domains/domains.ts'
import { JoinNotice } from '#web/domains/members/join-notice.tsx'
import { NoticeBanner, useDomainNotice } from '#web/domains/notice-banner.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'

/** Lets the person join or leave the domain without going to its page. */
export function JoinAnswer({ domain, personId }: { domain: Domain; personId: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const { notice, notify, dismiss } = useDomainNotice()
  if (!isOpen)
    return (
      <Button size="small" className="ms-auto" onClick={() => setIsOpen(true)}>
        Answer
        <span className="sr-only"> for {domain.name}</span>
      </Button>
    )
  return (
    <div className="basis-full">
      <NoticeBanner notice={notice} onDismiss={dismiss} />
      <JoinNotice
        domain={domain}
        personId={personId}
        notify={(tone, text, detail) => (tone === 'success' ? void showToast(text) : notify(tone, text, detail))}
        onRemoved={() => {}}
      />
    </div>
  )
}
