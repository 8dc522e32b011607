import type { SignInResult } from '#contract/accounts/accounts.ts'
import { visitorCalls } from '#contract/accounts/visitor-calls.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { getEmailProblem, getPasswordProblem } from './check-account.ts'
import type { SessionLoss } from './use-lost-session.ts'
import { useSubmit } from './use-submit.ts'

const reasons: Record<SessionLoss, string> = {
  cleared: 'Keeper’s data in this browser was cleared, and that signed you out.',
  expired: 'Your session has expired.',
}

interface SignInAgainDialogProps {
  sessionLoss: SessionLoss
  email: string
  onSignedIn: (data: SignInResult) => void
  onClose: () => void
  onLeave: () => void
}

/** Opens over the current page, so that unsaved text stays. */
export function SignInAgainDialog({ sessionLoss, email, onSignedIn, onClose, onLeave }: SignInAgainDialogProps) {
  const { busy, failure, errors, form } = useSubmit({
    validate: ({ email, password }) => ({ email: getEmailProblem(email), password: getPasswordProblem(password) }),
    send: async ({ email = '', password = '' }) =>
      onSignedIn(await call(visitorCalls.login, { body: { email: email.trim(), password }, opensSession: true })),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      size="small"
      title="Sign in again"
      description={`${reasons[sessionLoss]} What you typed is still on this page.`}
      onOpenAutoFocus={(event) => {
        event.preventDefault()
        document.querySelector<HTMLInputElement>(`#${formId} input[type=password]`)?.focus()
      }}
      footer={
        <>
          <Button onClick={onLeave} disabled={busy}>
            Leave this page
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={busy} busyLabel="Signing in...">
            Sign in
          </Button>
        </>
      }
    >
      <form {...form} id={formId} className="flex flex-col gap-4">
        {failure && <Banner tone="error">{failure}</Banner>}
        <TextField
          label="Email"
          name="email"
          type="email"
          defaultValue={email}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.email}
        />
        <PasswordField label="Password" name="password" autoComplete="current-password" error={errors.password} />
      </form>
    </Dialog>
  )
}

const formId = 'sign-in-again'
