import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { visitorCalls } from '#contract/accounts/visitor-calls.ts'
import { call } from '#web/api/api.ts'
import { clearStoredInvitation, storeInvitationFromUrl } from '#web/domains/invitations/stored-invitation.ts'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { AuthFrame, AuthHeading, AuthLink, emailFieldProps, SubmitButton, TextButton } from './auth-frame.tsx'
import { getEmailProblem, getNewPasswordProblem, getPasswordProblem, passwordHelp } from './check-account.ts'
import { useOidcProvider } from './oidc/use-oidc-provider.ts'
import { getPendingToken, readDeviceToken } from './second-step.ts'
import { redirectAfterSignIn, useRedirectWhenSignedIn, useUrlSearchParams } from './sign-in-destination.ts'
import { useSubmit } from './use-submit.ts'

const CodeStep = lazy(() => import('./sign-in-ways.tsx').then((module) => ({ default: module.CodeStep })))
const PasskeySignIn = lazy(() => import('./sign-in-ways.tsx').then((module) => ({ default: module.PasskeySignIn })))
const OidcSignIn = lazy(() => import('./oidc/oidc-sign-in.tsx'))
const OidcCallback = lazy(() => import('./oidc/oidc-callback.tsx'))

interface ForgotPasswordFormProps {
  email: string
  onBack: () => void
}

const outcomeTexts = {
  mailed: 'If an account uses this email, a link is on its way. It works once, for a short time.',
  'not-mailed': 'This server can’t send email. Ask your administrator for a reset link.',
}

function ForgotPasswordForm({ email, onBack }: ForgotPasswordFormProps) {
  const [outcome, setOutcome] = useState<keyof typeof outcomeTexts>()
  const { busy, failure, errors, form } = useSubmit({
    validate: (values) => ({ email: getEmailProblem(values.email) }),
    send: async (values) => {
      const { mailed } = await call(visitorCalls.requestPasswordReset, { body: { email: values.email ?? '' } })
      setOutcome(mailed ? 'mailed' : 'not-mailed')
    },
  })
  return (
    <>
      <AuthHeading title="Choose a new password">Enter your account’s email.</AuthHeading>
      <form {...form} className="flex flex-col gap-4">
        {failure && <Banner tone="error">{failure}</Banner>}
        {outcome && <Banner tone="info">{outcomeTexts[outcome]}</Banner>}
        <TextField {...emailFieldProps} autoFocus defaultValue={email} error={errors.email} />
        <SubmitButton busy={busy} busyLabel="Sending...">
          Send a link
        </SubmitButton>
        <p>
          <TextButton onClick={onBack}>Back to sign in</TextButton>
        </p>
      </form>
    </>
  )
}

/** Prerendered into login.html, so it uses neither router nor query client. */
export function LoginPage() {
  const search = useUrlSearchParams()
  useEffect(() => {
    document.title = 'Login · Keeper'
  }, [])
  const resetToken = search.get('reset')
  useRedirectWhenSignedIn()
  const [isCallback, setCallback] = useState(false)
  // The callback view removes the state from the address, but stays visible.
  if (search.has('state') && !isCallback) setCallback(true)
  const [view, setView] = useState<'sign-in' | 'forgot' | 'changed'>('sign-in')
  const [email, setEmail] = useState('')
  const [hasLeftResetLink, setHasLeftResetLink] = useState(false)

  function leaveResetLink(nextView: typeof view) {
    history.replaceState(null, '', '/login')
    setHasLeftResetLink(true)
    setView(nextView)
  }

  if (resetToken && !hasLeftResetLink) {
    return (
      <AuthFrame>
        <ResetPasswordForm
          token={resetToken}
          onChanged={() => leaveResetLink('changed')}
          onForgot={() => leaveResetLink('forgot')}
        />
      </AuthFrame>
    )
  }
  if (isCallback)
    return (
      <AuthFrame>
        <Suspense fallback={null}>
          <OidcCallback onSignedIn={clearStoredInvitation} />
        </Suspense>
      </AuthFrame>
    )
  return (
    <AuthFrame>
      {view === 'forgot' ? (
        <ForgotPasswordForm email={email} onBack={() => setView('sign-in')} />
      ) : (
        <SignInForm
          notice={view === 'changed' ? 'Your password was changed. Sign in with the new one.' : getNotice(search)}
          onForgot={(typedEmail) => {
            setEmail(typedEmail)
            setView('forgot')
          }}
        />
      )}
    </AuthFrame>
  )
}

function getNotice(search: URLSearchParams): string | undefined {
  if (search.has('again')) return 'Sign in here, then go back to the other tab.'
  if (search.has('connect')) return 'Sign in to connect your account.'
  if (search.has('deleted')) return 'Your account was deleted, with everything in it.'
  if (search.get('next')?.includes('invitation=')) return 'Sign in to answer your invitation.'
  return search.has('next') ? 'You were signed out. Sign in to pick up where you left off.' : undefined
}

interface ResetPasswordFormProps {
  token: string
  onChanged: () => void
  onForgot: () => void
}

function ResetPasswordForm({ token, onChanged, onForgot }: ResetPasswordFormProps) {
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
        <SubmitButton busy={busy} busyLabel="Saving...">
          Save password
        </SubmitButton>
        <p>
          <TextButton onClick={onForgot}>Ask for a new link</TextButton>
        </p>
      </form>
    </>
  )
}

interface SignInFormProps {
  notice: string | undefined
  onForgot: (email: string) => void
}

function SignInForm({ notice, onForgot }: SignInFormProps) {
  const emailField = useRef<HTMLInputElement>(null)
  const provider = useOidcProvider()
  const [pendingToken, setPendingToken] = useState<string>()
  const [canUsePasskeys, setCanUsePasskeys] = useState(false)
  useEffect(() => setCanUsePasskeys('PublicKeyCredential' in globalThis), [])
  const { busy, failure, errors, form } = useSubmit({
    validate: ({ email, password }) => ({ email: getEmailProblem(email), password: getPasswordProblem(password) }),
    send: async ({ email = '', password = '' }) => {
      try {
        redirectAfterSignIn(
          await call(visitorCalls.login, { body: { email: email.trim(), password, deviceToken: readDeviceToken() } }),
        )
      } catch (reason) {
        const token = getPendingToken(reason)
        if (token === undefined) throw reason
        setPendingToken(token)
      }
    },
  })
  if (pendingToken !== undefined)
    return (
      <Suspense>
        <CodeStep pendingToken={pendingToken} onBack={() => setPendingToken(undefined)} />
      </Suspense>
    )
  return (
    <>
      <AuthHeading title="Welcome Back">Your keepers have been quiet without you.</AuthHeading>
      <form {...form} className="flex flex-col gap-4">
        {failure ? <Banner tone="error">{failure}</Banner> : notice && <Banner tone="info">{notice}</Banner>}
        <TextField {...emailFieldProps} autoComplete="username webauthn" ref={emailField} error={errors.email} />
        <PasswordField label="Password" name="password" autoComplete="current-password" error={errors.password} />
        <SubmitButton busy={busy} busyLabel="Signing in...">
          Sign in
        </SubmitButton>
        <p className="flex flex-wrap justify-between gap-x-4 gap-y-2">
          <AuthLink href="/register" question="Don't have a keeper yet?" answer="Begin here." />
          <TextButton onClick={() => onForgot(emailField.current?.value ?? '')}>Forgot your password?</TextButton>
        </p>
      </form>
      {/* The space is reserved, so that a late button moves nothing. */}
      <div className="mt-4 flex min-h-12 flex-col gap-3">
        {canUsePasskeys && (
          <Suspense>
            <PasskeySignIn />
          </Suspense>
        )}
      </div>
      {provider && (
        <Suspense fallback={null}>
          <OidcSignIn provider={provider} getInvitation={storeInvitationFromUrl} />
        </Suspense>
      )}
    </>
  )
}
