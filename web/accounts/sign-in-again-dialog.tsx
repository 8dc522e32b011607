import { useState } from 'react'
import type { SignInResult } from '#contract/accounts/accounts.ts'
import { visitorCalls } from '#contract/accounts/visitor-calls.ts'
import { ApiError, call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { getEmailProblem, getPasswordProblem } from './check-account.ts'
import { CodeField, getCodeProblem } from './code-field.tsx'
import { getPendingToken, readDeviceToken } from './second-step.ts'
import type { SessionLoss } from './use-lost-session.ts'
import { useSubmit } from './use-submit.ts'

const sessionLossTexts: Record<SessionLoss, string> = {
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
  const [pendingToken, setPendingToken] = useState<string>()
  const { busy, failure, errors, form } = useSubmit({
    validate: ({ email, password, code }): Record<string, string | undefined> =>
      pendingToken === undefined
        ? { email: getEmailProblem(email), password: getPasswordProblem(password) }
        : { code: getCodeProblem(code) },
    send: async ({ email = '', password = '', code = '' }) => {
      const opensSession = true
      try {
        onSignedIn(
          pendingToken === undefined
            ? await call(visitorCalls.login, {
                body: { email: email.trim(), password, deviceToken: readDeviceToken() },
                opensSession,
              })
            : await call(visitorCalls.completeSignIn, { body: { pendingToken, code: code.trim() }, opensSession }),
        )
      } catch (reason) {
        const token = getPendingToken(reason)
        if (reason instanceof ApiError && reason.code === 'sign-in-expired') setPendingToken(undefined)
        if (token === undefined) throw reason
        setPendingToken(token)
      }
    },
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      size="small"
      title="Sign in again"
      description={`${sessionLossTexts[sessionLoss]} What you typed is still on this page.`}
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
        {pendingToken === undefined ? (
          <>
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
          </>
        ) : (
          <CodeField error={errors.code} autoFocus />
        )}
        {/* This page continues as soon as any tab of this browser is signed in. */}
        <p>
          <a href="/login?again=" target="_blank" rel="noreferrer" className={quietLinkClasses}>
            Sign in another way, in a new tab
          </a>
        </p>
      </form>
    </Dialog>
  )
}

const formId = 'sign-in-again'
