import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { type Domain, domains } from '#contract/domains/domains.ts'
import { call } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import type { Tell } from '../domain-detail.tsx'
import { useDomainsChanged, whyOf } from '../domain-queries.ts'

interface LeaveDomainProps {
  domain: Domain
  personId: string
  tell: Tell
  onGone: () => void
}

export function LeaveDomain({ domain, personId, tell, onGone }: LeaveDomainProps) {
  const [asks, setAsks] = useState(false)
  const [error, setError] = useState<string>()
  const changed = useDomainsChanged()

  async function leave() {
    setError(undefined)
    try {
      await call(domains.removeMember, { params: { id: domain.id, userId: personId } })
    } catch (reason) {
      setError(['Failed to leave domain', whyOf(reason)].filter(Boolean).join('. '))
      throw reason
    }
    onGone()
    await changed()
    tell('success', `You left ${domain.name}.`)
  }

  return (
    <>
      <Button icon={<LogOut aria-hidden size={14} />} onClick={() => setAsks(true)}>
        Leave
      </Button>
      <ConfirmDialog
        open={asks}
        onOpenChange={(open) => {
          setAsks(open)
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
