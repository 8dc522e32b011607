import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accounts } from '#contract/accounts/accounts.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { accountSessionsKey } from './account-queries.ts'
import { useAuth } from './auth-provider.tsx'
import { getNewPasswordProblem, getPasswordProblem, passwordHelp } from './check-account.ts'
import { useSubmit } from './use-submit.ts'

export function PasswordForm() {
  const { user } = useAuth()
  const queryClient = useQueryClient()
  // A new key after each change clears the password fields.
  const [changes, setChanges] = useState(0)
  const [isDone, setDone] = useState(false)
  const { busy, failure, errors, form } = useSubmit({
    validate: ({ currentPassword, newPassword }) => ({
      currentPassword: getPasswordProblem(currentPassword),
      newPassword: getNewPasswordProblem(newPassword),
    }),
    send: async ({ currentPassword = '', newPassword = '' }) => {
      setDone(false)
      await call(accounts.changePassword, { body: { currentPassword, newPassword } })
      setChanges((count) => count + 1)
      setDone(true)
      queryClient.invalidateQueries({ queryKey: accountSessionsKey })
    },
  })
  return (
    <form {...form} key={changes}>
      <Section title="Password" help="This signs you out everywhere else." className="border-t! pt-[30px]!">
        {isDone && (
          <Banner tone="success" onDismiss={() => setDone(false)}>
            Password changed. You’re signed out everywhere else.
          </Banner>
        )}
        {failure && <Banner tone="error">{failure}</Banner>}
        <input type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <PasswordField
          label="Current password"
          name="currentPassword"
          autoComplete="current-password"
          error={errors.currentPassword}
        />
        <PasswordField
          label="New password"
          name="newPassword"
          autoComplete="new-password"
          help={passwordHelp}
          error={errors.newPassword}
        />
        <div>
          <Button type="submit" busy={busy} busyLabel="Changing...">
            Change password
          </Button>
        </div>
      </Section>
    </form>
  )
}
