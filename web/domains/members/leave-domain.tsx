import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { type Domain, domains } from '#contract/domains/domains.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import type { Notify } from '../domain-detail.tsx'
import { getDomainErrorDetail, useInvalidateDomains } from '../domain-queries.ts'

interface LeaveDomainProps {
  domain: Domain
  personId: string
  notify: Notify
  onRemoved: () => void
}

export function LeaveDomain({ domain, personId, notify, onRemoved }: LeaveDomainProps) {
  const [isConfirming, setConfirming] = useState(false)
  const [error, setError] = useState<string>()
  const invalidateDomains = useInvalidateDomains()

  async function leave() {
    setError(undefined)
    try {
      await call(domains.removeMember, { params: { id: domain.id, userId: personId } })
    } catch (reason) {
      setError(['Failed to leave domain', getDomainErrorDetail(reason)].filter(Boolean).join('. '))
      throw reason
    }
    onRemoved()
    await invalidateDomains()
    notify('success', `You left ${domain.name}.`)
  }

  return (
    <>
      <Button icon={<LogOut aria-hidden size={14} />} onClick={() => setConfirming(true)}>
        Leave
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={(open) => {
          setConfirming(open)
          if (!open) setError(undefined)
        }}
        title={`Leave ${domain.name}?`}
        confirmLabel="Leave domain"
        busyLabel="Leaving..."
        error={error}
        onConfirm={leave}
      >
        You’ll lose access, and everything you shared in this domain is unshared. Only its owner or an admin can let you
        back in.
      </ConfirmDialog>
    </>
  )
}
