import { useId } from 'react'
import { type AccountDeletion, deletionGraceDays, ownAccount } from '#contract/accounts/own-account.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { useAuth } from './auth-provider.tsx'
import { getPasswordProblem } from './check-account.ts'
import { useSubmit } from './use-submit.ts'

interface DeleteAccountDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  deletion: AccountDeletion
  onRequested: (deletion: AccountDeletion) => void
}

export function DeleteAccountDialog({ open, onOpenChange, deletion, onRequested }: DeleteAccountDialogProps) {
  const formId = useId()
  const { user } = useAuth()
  const { busy, failure, errors, form } = useSubmit({
    validate: ({ password }) => ({ password: getPasswordProblem(password) }),
    send: async ({ password = '' }) => {
      onRequested(await call(ownAccount.askForDeletion, { body: { password } }))
      onOpenChange(false)
    },
  })
  const { counts, domains } = deletion
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !busy && onOpenChange(next)}
      title="Delete your account?"
      description={`Your account and everything in it will be deleted in ${deletionGraceDays} days. You can cancel any time before then.`}
      footer={
        <>
          <Button disabled={busy} onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="danger" busy={busy} busyLabel="Scheduling...">
            Delete my account
          </Button>
        </>
      }
    >
      <form {...form} id={formId} className="flex flex-col gap-4">
        {failure && <Banner tone="error">{failure}</Banner>}
        <div>
          <p>This deletes:</p>
          <ul className="mt-1 list-disc ps-5 text-ui">
            {counts.keepers > 0 && <li>{pluralize(counts.keepers, 'keeper')}, with everything in them</li>}
            {counts.agents > 0 && <li>{pluralize(counts.agents, 'agent')}, with everyone’s conversations</li>}
            {domains.map(({ id, name, otherMembers }) => (
              <li key={id} className="wrap-break-word">
                The domain {name}
                {otherMembers > 0 && `, also for ${pluralize(otherMembers, 'other member')}`}
              </li>
            ))}
            <li>Your chats, recordings, keys and sessions</li>
          </ul>
        </div>
        <p className="text-ui text-muted-foreground">
          This signs you out everywhere else right away. Once your account is deleted, nothing can be restored.
        </p>
        <input type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <PasswordField label="Your password" name="password" autoComplete="current-password" error={errors.password} />
      </form>
    </Dialog>
  )
}
