import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { type Domain, domains } from '#contract/domains/domains.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import type { Notify } from '../domain-detail.tsx'
import { describeDomainError, useInvalidateDomains } from '../domain-queries.ts'

interface LeaveDomainProps {
  domain: Domain
  personId: string
  notify: Notify
  onRemoved: () => void
}

export function LeaveDomain({ domain, personId, notify, onRemoved }: LeaveDomainProps) {
  const [isConfirming, setConfirming] = useState(false)
  const invalidateDomains = useInvalidateDomains()

  async function leave() {
    await call(domains.removeMember, { params: { id: domain.id, userId: personId } })
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
        onOpenChange={setConfirming}
        title={`Leave ${domain.name}?`}
        confirmLabel="Leave domain"
        busyLabel="Leaving..."
        onConfirm={leave}
        describeError={(reason) => describeDomainError('Failed to leave domain', reason)}
      >
        You’ll lose access, and everything you shared in this domain is unshared. Only its owner or an admin can let you
        back in.
      </ConfirmDialog>
    </>
  )
}
