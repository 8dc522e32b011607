import { useState } from 'react'
import { type Domain, domains } from '#contract/domains/domains.ts'
import { call } from '#web/api/api.ts'
import { useMembers } from '#web/queries/use-my-domains.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { roleNames } from '#web/ui/text/domain-role-texts.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'
import type { Notify } from '../domain-detail.tsx'
import { describeDomainError, useInvalidateDomains } from '../domain-queries.ts'

interface TransferDialogProps {
  domain: Domain
  notify: Notify
  onClose: () => void
}

export function TransferDialog({ domain, notify, onClose }: TransferDialogProps) {
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
    notify('success', `${chosenMember ? getPersonName(chosenMember) : 'Someone else'} now owns ${domain.name}.`)
    onClose()
  }

  if (isConfirming && chosenMember) {
    return (
      <ConfirmDialog
        open
        onOpenChange={(open) => !open && setConfirming(false)}
        title={`Make ${getPersonName(chosenMember)} the owner of ${domain.name}?`}
        confirmLabel="Transfer ownership"
        busyLabel="Transferring..."
        onConfirm={transfer}
        describeError={(reason) => describeDomainError('Failed to transfer domain', reason)}
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
