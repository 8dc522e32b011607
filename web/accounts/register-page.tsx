import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { visitorCalls } from '#contract/accounts/visitor-calls.ts'
import { ApiError, call } from '#web/api/api.ts'
import {
  clearStoredInvitation,
  getInvitationPath,
  storeInvitationFromUrl,
} from '#web/domains/invitations/stored-invitation.ts'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { AuthFrame, AuthHeading, AuthLink, emailFieldProps, SubmitButton } from './auth-frame.tsx'
import { getEmailProblem, getNewPasswordProblem, passwordHelp } from './check-account.ts'
import { useOidcProvider } from './oidc/use-oidc-provider.ts'
import { redirectAfterSignIn, useRedirectWhenSignedIn, useUrlSearchParams } from './sign-in-destination.ts'
import { readStoredSession } from './stored-session.ts'
import { useSubmit } from './use-submit.ts'

const OidcSignIn = lazy(() => import('./oidc/oidc-sign-in.tsx'))
const InvitationNotice = lazy(() => import('#web/domains/invitations/invitation-notice.tsx'))

/** Prerendered into register.html, so it uses neither router nor query client. */
export function RegisterPage() {
  useEffect(() => {
    document.title = 'Begin · Keeper'
  }, [])
  const setupToken = useUrlSearchParams().get('setup') ?? undefined
  useRedirectWhenSignedIn()
  const emailField = useRef<HTMLInputElement>(null)
  const provider = useOidcProvider()
  const [invitation, setInvitation] = useState<string>()
  const [isInvitationRefused, setInvitationRefused] = useState(false)
  const [noticeKey, setNoticeKey] = useState(0)
  const [joinedDomainId, setJoinedDomainId] = useState<string>()
  useEffect(() => {
    if (!readStoredSession()) setInvitation(storeInvitationFromUrl())
  }, [])
  function onInvitationRefused() {
    clearStoredInvitation()
    setInvitationRefused(true)
  }
  const invitationToken = isInvitationRefused ? undefined : invitation
  const { busy, failure, errors, form } = useSubmit({
    validate: ({ email, password }) => ({ email: getEmailProblem(email), password: getNewPasswordProblem(password) }),
    send: async ({ name, email = '', password = '' }) => {
      const body = { email: email.trim(), password, name: name?.trim() || undefined, setupToken, invitationToken }
      const signedIn = await call(visitorCalls.register, { body }).catch((reason: unknown) => {
        // The invitation may have been used or revoked in the meantime; reloading the notice shows that.
        if (reason instanceof ApiError && reason.code === 'invitation-refused') setNoticeKey(noticeKey + 1)
        throw reason
      })
      if (!invitationToken) return redirectAfterSignIn(signedIn)
      clearStoredInvitation()
      redirectAfterSignIn(signedIn, joinedDomainId ? `/root/domain?domain=${joinedDomainId}&joined=1` : '/root/domain')
    },
  })
  return (
    <AuthFrame>
      <AuthHeading title="Begin Your Journey">A keeper, a place for it, and no one else looking in.</AuthHeading>
      <form {...form} className="flex flex-col gap-4">
        {setupToken && <Banner tone="info">This link makes your account the administrator of this server.</Banner>}
        {invitation && (
          <Suspense fallback={null}>
            <InvitationNotice
              key={noticeKey}
              token={invitation}
              onLoaded={({ email, domain }) => {
                if (emailField.current) emailField.current.value ||= email
                setJoinedDomainId(domain.id)
              }}
              onRefused={onInvitationRefused}
            />
          </Suspense>
        )}
        {failure && <Banner tone="error">{failure}</Banner>}
        <TextField label="Name" aside="Optional" name="name" autoComplete="name" maxLength={120} error={errors.name} />
        <TextField {...emailFieldProps} ref={emailField} error={errors.email} />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="new-password"
          help={passwordHelp}
          error={errors.password}
        />
        <SubmitButton busy={busy} busyLabel="Beginning...">
          Begin
        </SubmitButton>
        <p>
          <AuthLink
            href={invitationToken ? `/login?next=${encodeURIComponent(getInvitationPath(invitationToken))}` : '/login'}
            question="Already have a keeper?"
            answer="Sign in."
          />
        </p>
      </form>
      {provider && !setupToken && (
        <Suspense fallback={null}>
          <OidcSignIn provider={provider} getInvitation={() => invitationToken} />
        </Suspense>
      )}
    </AuthFrame>
  )
}
