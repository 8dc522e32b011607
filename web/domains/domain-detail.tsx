import { ArrowRightLeft, Bookmark, Ellipsis, ListChecks, LogOut, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { canActInDomain, type DomainRole } from '#contract/domains/domain-actions.ts'
import { type Domain, domains, getOwnRole } from '#contract/domains/domains.ts'
import { call } from '#web/api/api.ts'
import { useMembers } from '#web/queries/use-my-domains.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import type { ShowNotice } from '#web/ui/hooks/use-notice.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { roleNames } from '#web/ui/text/domain-role-texts.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { withNames } from '#web/ui/text/with-names.tsx'
import { DomainForm } from './domain-form.tsx'
import { formatDomainFailure, getDomainErrorDetail, useInvalidateDomains } from './domain-queries.ts'
import { MemberPanel } from './members/member-panel.tsx'

const CustomDomainPanel = lazyComponent(
  async () => (await import('./custom-domain-panel.tsx')).CustomDomainPanel,
  <Skeleton className="mt-6 h-24" />,
)
const SharedInDomain = lazyComponent(
  async () => (await import('./shared/shared-in-domain.tsx')).SharedInDomain,
  <Skeleton className="h-20" />,
)
const InvitationPanel = lazyComponent(
  async () => (await import('./invitations/invitation-panel.tsx')).InvitationPanel,
  <Skeleton className="h-20" />,
)

const JoinNotice = lazyComponent(
  async () => (await import('./members/join-notice.tsx')).JoinNotice,
  <Skeleton className="mt-4 h-24" />,
)

interface DomainDetailProps {
  domain: Domain
  personId: string
  editing: boolean
  onEditingChange: (editing: boolean) => void
  showNotice: ShowNotice
  onRemoved: () => void
}

export function DomainDetail({ domain, personId, editing, onEditingChange, showNotice, onRemoved }: DomainDetailProps) {
  const role = getOwnRole(domain) ?? 'connection'
  if (editing && canActInDomain(role, 'edit')) {
    return (
      <>
        <h3 className="mb-4 text-[1.375rem] leading-[1.75rem] wrap-break-word">Edit {domain.name}</h3>
        <DomainForm
          domain={domain}
          showsAgentField
          onSaved={() => {
            onEditingChange(false)
            showNotice('success', 'Domain saved successfully')
          }}
          onCancel={() => onEditingChange(false)}
        />
      </>
    )
  }
  return (
    <>
      <header className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-56">
          <h3 className="flex flex-wrap items-center gap-2 text-[1.5rem] leading-[1.875rem]">
            <span dir="auto" className="min-w-0 wrap-break-word">
              {domain.name}
            </span>
            {domain.isPrimary && <Badge tone="ribbon">Primary</Badge>}
          </h3>
          <p className="mt-0.5 text-small text-muted-foreground">
            <span className="font-mono wrap-break-word">{domain.slug}</span>
          </p>
          {domain.description && <p className="mt-1.5 whitespace-pre-line wrap-break-word">{domain.description}</p>}
          {domain.isPrimary && (
            <p className="mt-1.5 text-small text-muted-foreground">
              Your primary domain can’t be deleted or transferred. Make another one primary first.
            </p>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {canActInDomain(role, 'setUp') && (
            <LinkButton to={`/studio/domain-board?domainId=${domain.id}`} icon={<ListChecks aria-hidden size={14} />}>
              Set up step by step
            </LinkButton>
          )}
          {canActInDomain(role, 'edit') && (
            <Button icon={<Pencil aria-hidden size={14} />} onClick={() => onEditingChange(true)}>
              Edit
            </Button>
          )}
          <DomainActionsMenu
            domain={domain}
            role={role}
            personId={personId}
            showNotice={showNotice}
            onRemoved={onRemoved}
          />
        </div>
      </header>
      {domain.agreed === false && (
        <JoinNotice domain={domain} personId={personId} showNotice={showNotice} onRemoved={onRemoved} />
      )}
      {canActInDomain(role, 'seeCustomDomain') && <CustomDomainPanel domain={domain} />}
      <MemberPanel domain={domain} role={role} personId={personId} showNotice={showNotice} />
      {canActInDomain(role, 'manageMembers') && (
        <div className={sectionClasses}>
          <InvitationPanel domain={domain} />
        </div>
      )}
      <div className={sectionClasses}>
        <h4 className="mb-2 font-serif text-[1.125rem] leading-[1.5rem] font-medium">Shared here</h4>
        <SharedInDomain domain={domain} />
      </div>
    </>
  )
}

const sectionClasses = 'mt-6 border-t border-border pt-5'

interface LeaveDomainProps {
  domain: Domain
  personId: string
  showNotice: ShowNotice
  onRemoved: () => void
}

interface DomainActionsMenuProps extends LeaveDomainProps {
  role: DomainRole
}

function DomainActionsMenu({ domain, role, personId, showNotice, onRemoved }: DomainActionsMenuProps) {
  const [openDialog, setOpenDialog] = useState<'remove' | 'transfer'>()
  const invalidateDomains = useInvalidateDomains()
  const params = { id: domain.id }
  const close = () => setOpenDialog(undefined)

  async function setPrimary() {
    try {
      await call(domains.makePrimary, { params })
      await invalidateDomains()
      showNotice('success', `${domain.name} is now your primary domain.`)
    } catch (reason) {
      showNotice('error', 'Failed to update domain', getDomainErrorDetail(reason))
    }
  }

  async function remove() {
    await call(domains.remove, { params })
    onRemoved()
    await invalidateDomains()
    showNotice('success', 'Domain deleted successfully')
  }

  const hasMenu =
    !domain.isPrimary && (['makePrimary', 'transfer', 'remove'] as const).some((action) => canActInDomain(role, action))
  return (
    <>
      {domain.agreed !== false && canActInDomain(role, 'leave') && (
        <LeaveDomain domain={domain} personId={personId} showNotice={showNotice} onRemoved={onRemoved} />
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
        title={withNames`Delete ${domain.name}?`}
        confirmLabel="Delete domain"
        busyLabel="Deleting..."
        formatError={(reason) => formatDomainFailure('Failed to delete domain', reason)}
        onConfirm={remove}
      >
        Its members lose access right away, open invitations end, and its custom domain goes offline. Everyone keeps
        their own content.
      </ConfirmDialog>
      {openDialog === 'transfer' && <TransferDialog domain={domain} showNotice={showNotice} onClose={close} />}
    </>
  )
}

interface TransferDialogProps {
  domain: Domain
  showNotice: ShowNotice
  onClose: () => void
}

function TransferDialog({ domain, showNotice, onClose }: TransferDialogProps) {
  const list = useMembers(domain.id)
  const [chosenId, setChosenId] = useState('')
  const [isConfirming, setConfirming] = useState(false)
  const [isChoiceMissing, setIsChoiceMissing] = useState(false)
  const invalidateDomains = useInvalidateDomains()
  const members = (list.data ?? []).filter(({ role, agreed }) => role !== 'owner' && agreed)
  const chosenMember = members.find(({ userId }) => userId === chosenId)

  async function transfer() {
    await call(domains.transfer, { params: { id: domain.id }, body: { userId: chosenId } })
    await invalidateDomains()
    showNotice('success', `${chosenMember ? getPersonName(chosenMember) : 'Someone else'} now owns ${domain.name}.`)
    onClose()
  }

  if (isConfirming && chosenMember) {
    return (
      <ConfirmDialog
        open
        onOpenChange={(open) => !open && setConfirming(false)}
        title={withNames`Make ${getPersonName(chosenMember)} the owner of ${domain.name}?`}
        confirmLabel="Transfer ownership"
        busyLabel="Transferring..."
        formatError={(reason) => formatDomainFailure('Failed to transfer domain', reason)}
        onConfirm={transfer}
      >
        You become an admin, and only {getPersonName(chosenMember)} can transfer the domain back. Its custom domain will
        no longer show your agent.
      </ConfirmDialog>
    )
  }
  return (
    <Dialog
      open
      size="small"
      onOpenChange={(open) => !open && onClose()}
      title="Transfer ownership"
      description={`Choose the member who will own ${domain.name}.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {members.length > 0 && (
            <Button variant="primary" onClick={() => (chosenMember ? setConfirming(true) : setIsChoiceMissing(true))}>
              Continue
            </Button>
          )}
        </>
      }
    >
      {list.isError && !list.data ? (
        <p role="alert" className="text-ui text-destructive">
          {list.error.message}
        </p>
      ) : members.length === 0 && list.data ? (
        <p className="text-ui">No one else has joined this domain yet. Add or invite a member first.</p>
      ) : (
        <SelectField
          label="New owner"
          placeholder="Choose a member"
          value={chosenId}
          error={isChoiceMissing && !chosenMember ? 'Choose a member.' : undefined}
          options={members.map((member) => ({
            value: member.userId,
            label: `${getPersonName(member)} (${member.email}), ${roleNames[member.role]}`,
          }))}
          onChange={(event) => setChosenId(event.currentTarget.value)}
        />
      )}
    </Dialog>
  )
}

export function LeaveDomain({ domain, personId, showNotice, onRemoved }: LeaveDomainProps) {
  const [isConfirming, setConfirming] = useState(false)
  const invalidateDomains = useInvalidateDomains()

  async function leave() {
    await call(domains.removeMember, { params: { id: domain.id, userId: personId } })
    onRemoved()
    await invalidateDomains()
    showNotice('success', `You left ${domain.name}.`)
  }

  return (
    <>
      <Button icon={<LogOut aria-hidden size={14} />} onClick={() => setConfirming(true)}>
        Leave
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={withNames`Leave ${domain.name}?`}
        confirmLabel="Leave domain"
        busyLabel="Leaving..."
        formatError={(reason) => formatDomainFailure('Failed to leave domain', reason)}
        onConfirm={leave}
      >
        You’ll lose access, and everything you shared in this domain is unshared. Only its owner or an admin can let you
        back in.
      </ConfirmDialog>
    </>
  )
}
