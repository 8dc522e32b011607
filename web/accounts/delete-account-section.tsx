import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type AccountDeletion, deletionGraceDays, ownAccount } from '#contract/accounts/own-account.ts'
import { call } from '#web/api/api.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { useDeletion, useSetDeletion } from './account-queries.ts'
import { useAuth } from './auth-provider.tsx'
import { getPasswordProblem, toAccountFailureText } from './check-account.ts'
import { useSubmit } from './use-submit.ts'

export function DeleteAccountSection() {
  const query = useDeletion()
  const { data: deletion } = query
  const setDeletion = useSetDeletion()
  const reasonId = useId()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const withdrawal = useMutation({
    mutationFn: () => call(ownAccount.withdrawDeletion),
    onSuccess: (withdrawn) => setDeletion(withdrawn),
  })

  return (
    <Section
      title="Delete my account"
      help={`Your account is deleted after ${deletionGraceDays} days. Until then, you can change your mind.`}
    >
      {withdrawal.error && <Banner tone="error">{toAccountFailureText(withdrawal.error)}</Banner>}
      <QueryState query={query} skeleton={<SkeletonRows rowClassName="h-16" />} title="Your account couldn’t be loaded">
        Nothing was deleted.
      </QueryState>
      {deletion?.deletesAt === null && (
        <>
          <p className="text-muted-foreground">
            This deletes everything you own: keepers, agents, chats, recordings, keys and domains. Download a copy
            first.
          </p>
          <div>
            <Button
              variant="danger"
              disabled={deletion.lastSuperAdmin}
              aria-describedby={deletion.lastSuperAdmin ? reasonId : undefined}
              onClick={() => setDialogOpen(true)}
            >
              Delete my account
            </Button>
            {deletion.lastSuperAdmin && (
              <p id={reasonId} className="mt-2 text-ui text-muted-foreground">
                You’re the last super-admin, so your account can’t be deleted. Grant the role to someone else first.
              </p>
            )}
          </div>
        </>
      )}
      {deletion && deletion.deletesAt !== null && (
        <>
          <p>
            Your account will be deleted on <Time value={deletion.deletesAt} timeStyle="date-time" />, with everything
            in it. Until then you can use it as before.
          </p>
          <div>
            <Button busy={withdrawal.isPending} busyLabel="Keeping..." onClick={() => withdrawal.mutate()}>
              Keep my account
            </Button>
          </div>
        </>
      )}
      {deletion && isDialogOpen && (
        <DeleteAccountDialog onClose={() => setDialogOpen(false)} deletion={deletion} onRequested={setDeletion} />
      )}
    </Section>
  )
}

interface DeleteAccountDialogProps {
  onClose: () => void
  deletion: AccountDeletion
  onRequested: (deletion: AccountDeletion) => void
}

function DeleteAccountDialog({ onClose, deletion, onRequested }: DeleteAccountDialogProps) {
  const { user } = useAuth()
  const { busy, failure, errors, form } = useSubmit({
    validate: ({ password }): Record<string, string | undefined> =>
      deletion.hasPassword ? { password: getPasswordProblem(password) } : {},
    send: async ({ password }) => {
      onRequested(await call(ownAccount.askForDeletion, { body: deletion.hasPassword ? { password } : {} }))
      onClose()
    },
  })
  const { counts, domains } = deletion
  return (
    <FormDialog
      onClose={onClose}
      title="Delete your account?"
      description={`Your account and everything in it will be deleted in ${deletionGraceDays} days. You can cancel any time before then.`}
      form={{ ...form, className: 'flex flex-col gap-4' }}
      submitLabel="Delete my account"
      busyLabel="Scheduling..."
      tone="danger"
      busy={busy}
      locksWhileBusy
    >
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
      {deletion.hasPassword && (
        <>
          <input type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
          <PasswordField
            label="Your password"
            name="password"
            autoComplete="current-password"
            error={errors.password}
          />
        </>
      )}
    </FormDialog>
  )
}
