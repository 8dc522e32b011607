import { ArrowRightLeft, Bookmark, Ellipsis, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type DomainRole, mayInDomain } from '#contract/domains/domain-deeds.ts'
import { type Domain, domains } from '#contract/domains/domains.ts'
import { call } from '#web/api.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import type { Tell } from './domain-detail.tsx'
import { useDomainsChanged, whyOf } from './domain-queries.ts'
import { LeaveDomain } from './members/leave-domain.tsx'
import { TransferDialog } from './members/transfer-dialog.tsx'

interface DomainDeedsProps {
  domain: Domain
  role: DomainRole
  personId: string
  tell: Tell
  onGone: () => void
}

/** Owner actions, and Leave for members. A primary domain can't be deleted or transferred. */
export function DomainDeeds({ domain, role, personId, tell, onGone }: DomainDeedsProps) {
  const [asking, setAsking] = useState<'remove' | 'transfer'>()
  const [error, setError] = useState<string>()
  const changed = useDomainsChanged()
  const params = { id: domain.id }
  const close = () => {
    setAsking(undefined)
    setError(undefined)
  }

  async function makePrimary() {
    try {
      await call(domains.makePrimary, { params })
      await changed()
      tell('success', `${domain.name} is now your primary domain.`)
    } catch (reason) {
      tell('error', 'Failed to update domain', whyOf(reason))
    }
  }

  async function confirmed(failed: string, deed: () => Promise<unknown>, done: string) {
    setError(undefined)
    try {
      await deed()
    } catch (reason) {
      setError([failed, whyOf(reason)].filter(Boolean).join('. '))
      throw reason
    }
    onGone()
    await changed()
    tell('success', done)
  }

  const mayAnything =
    !domain.isPrimary && (['makePrimary', 'transfer', 'remove'] as const).some((deed) => mayInDomain(role, deed))
  return (
    <>
      {domain.agreed !== false && mayInDomain(role, 'leave') && (
        <LeaveDomain domain={domain} personId={personId} tell={tell} onGone={onGone} />
      )}
      {mayAnything && (
        <Menu
          trigger={
            <IconButton label={`More for ${domain.name}`} outlined>
              <Ellipsis aria-hidden size={16} />
            </IconButton>
          }
        >
          {mayInDomain(role, 'makePrimary') && (
            <MenuItem icon={<Bookmark aria-hidden size={15} />} onSelect={makePrimary}>
              Make primary
            </MenuItem>
          )}
          {mayInDomain(role, 'transfer') && (
            <MenuItem icon={<ArrowRightLeft aria-hidden size={15} />} onSelect={() => setAsking('transfer')}>
              Transfer ownership
            </MenuItem>
          )}
          <MenuSeparator />
          {mayInDomain(role, 'remove') && (
            <MenuItem danger icon={<Trash2 aria-hidden size={15} />} onSelect={() => setAsking('remove')}>
              Delete domain
            </MenuItem>
          )}
        </Menu>
      )}
      <ConfirmDialog
        open={asking === 'remove'}
        onOpenChange={(open) => !open && close()}
        title={`Delete ${domain.name}?`}
        confirmLabel="Delete domain"
        busyLabel="Deleting..."
        error={error}
        onConfirm={() =>
          confirmed('Failed to delete domain', () => call(domains.remove, { params }), 'Domain deleted successfully')
        }
      >
        Its members lose access right away, open invitations end, and its custom domain goes offline. Everyone keeps
        their own content.
      </ConfirmDialog>
      {asking === 'transfer' && <TransferDialog domain={domain} tell={tell} onClose={close} />}
    </>
  )
}
