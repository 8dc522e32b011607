import { ArrowRightLeft, Bookmark, Ellipsis, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { canActInDomain, type DomainRole } from '#contract/domains/domain-actions.ts'
import { type Domain, domains } from '#contract/domains/domains.ts'
import { call } from '#web/api/api.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import type { Notify } from './domain-detail.tsx'
import { describeDomainError, getDomainErrorDetail, useInvalidateDomains } from './domain-queries.ts'
import { LeaveDomain } from './members/leave-domain.tsx'
import { TransferDialog } from './members/transfer-dialog.tsx'

interface DomainActionsMenuProps {
  domain: Domain
  role: DomainRole
  personId: string
  notify: Notify
  onRemoved: () => void
}

export function DomainActionsMenu({ domain, role, personId, notify, onRemoved }: DomainActionsMenuProps) {
  const [openDialog, setOpenDialog] = useState<'remove' | 'transfer'>()
  const invalidateDomains = useInvalidateDomains()
  const params = { id: domain.id }
  const close = () => setOpenDialog(undefined)

  async function setPrimary() {
    try {
      await call(domains.makePrimary, { params })
      await invalidateDomains()
      notify('success', `${domain.name} is now your primary domain.`)
    } catch (reason) {
      notify('error', 'Failed to update domain', getDomainErrorDetail(reason))
    }
  }

  async function remove() {
    await call(domains.remove, { params })
    onRemoved()
    await invalidateDomains()
    notify('success', 'Domain deleted successfully')
  }

  const hasMenu =
    !domain.isPrimary && (['makePrimary', 'transfer', 'remove'] as const).some((action) => canActInDomain(role, action))
  return (
    <>
      {domain.agreed !== false && canActInDomain(role, 'leave') && (
        <LeaveDomain domain={domain} personId={personId} notify={notify} onRemoved={onRemoved} />
      )}
      {hasMenu && (
        <Menu
          trigger={
            <IconButton label={`More for ${domain.name}`} outlined>
              <Ellipsis aria-hidden size={16} />
            </IconButton>
          }
        >
          {canActInDomain(role, 'makePrimary') && (
            <MenuItem icon={<Bookmark aria-hidden size={15} />} onSelect={setPrimary}>
              Make primary
            </MenuItem>
          )}
          {canActInDomain(role, 'transfer') && (
            <MenuItem icon={<ArrowRightLeft aria-hidden size={15} />} onSelect={() => setOpenDialog('transfer')}>
              Transfer ownership
            </MenuItem>
          )}
          <MenuSeparator />
          {canActInDomain(role, 'remove') && (
            <MenuItem danger icon={<Trash2 aria-hidden size={15} />} onSelect={() => setOpenDialog('remove')}>
              Delete domain
            </MenuItem>
          )}
        </Menu>
      )}
      <ConfirmDialog
        open={openDialog === 'remove'}
        onOpenChange={(open) => !open && close()}
        title={`Delete ${domain.name}?`}
        confirmLabel="Delete domain"
        busyLabel="Deleting..."
        onConfirm={remove}
        describeError={(reason) => describeDomainError('Failed to delete domain', reason)}
      >
        Its members lose access right away, open invitations end, and its custom domain goes offline. Everyone keeps
        their own content.
      </ConfirmDialog>
      {openDialog === 'transfer' && <TransferDialog domain={domain} notify={notify} onClose={close} />}
    </>
  )
}
