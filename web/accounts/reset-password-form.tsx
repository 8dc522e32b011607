import { visitorCalls } from '#contract/accounts/visitor-calls.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { AuthHeading } from './auth-frame.tsx'
import { getNewPasswordProblem, passwordHelp } from './check-account.ts'
import { useSubmit } from './use-submit.ts'

interface ResetPasswordFormProps {
  token: string
  onChanged: () => void
  onForgot: () => void
}

export function ResetPasswordForm({ token, onChanged, onForgot }: ResetPasswordFormProps) {
  const { busy, failure, errors, form } = useSubmit({
    validate: ({ newPassword }) => ({ newPassword: getNewPasswordProblem(newPassword) }),
    send: async ({ newPassword = '' }) => {
      await call(visitorCalls.completePasswordReset, { body: { token, newPassword } })
      onChanged()
    },
  })
  return (
    <>
      <AuthHeading title="Choose a new password">This signs you out everywhere else.</AuthHeading>
      <form {...form} className="flex flex-col gap-4">
        {failure && <Banner tone="error">{failure}</Banner>}
        <PasswordField
          label="New password"
          name="newPassword"
          autoComplete="new-password"
          help={passwordHelp}
          error={errors.newPassword}
        />
        <Button type="submit" variant="primary" size="large" busy={busy} busyLabel="Saving..." className="mt-2 w-full">
          Save password
        </Button>
        <p>
          <button
            type="button"
            onClick={onForgot}
            className="rounded-xs text-muted-foreground underline-offset-[3px] hover:text-foreground hover:underline"
          >
            Ask for a new link
          </button>
        </p>
      </form>
    </>
  )
}
