import { useState } from 'react'
import type { Domain } from '#contract/domains/domains.ts'
import { JoinNotice } from '#web/domains/members/join-notice.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { useNotice } from '#web/ui/hooks/use-notice.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'

/** Lets the person join or leave the domain without going to its page. */
export function JoinAnswer({ domain, personId }: { domain: Domain; personId: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const { showNotice, noticeBanner } = useNotice()
  if (!isOpen)
    return (
      <Button size="small" className="ms-auto" onClick={() => setIsOpen(true)}>
        Answer
        <span className="sr-only"> for {domain.name}</span>
      </Button>
    )
  return (
    <div className="basis-full">
      {noticeBanner}
      <JoinNotice
        domain={domain}
        personId={personId}
        showNotice={(tone, text, detail) => {
          if (tone === 'success') showToast(text)
          else showNotice(tone, text, detail)
        }}
        onRemoved={() => {}}
      />
    </div>
  )
}
