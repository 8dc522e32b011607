import { useEffect, useState } from 'react'
import { AuthFrame } from './auth-frame.tsx'
import { ForgotPasswordForm } from './forgot-password-form.tsx'
import { ResetPasswordForm } from './reset-password-form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { useRedirectWhenSignedIn } from './use-redirect-when-signed-in.ts'
import { useSearch } from './use-search.ts'

/** Prerendered into login.html, so it uses neither router nor query client. */
export function LoginPage() {
  const search = useSearch()
  useEffect(() => {
    document.title = 'Login · Keeper'
  }, [])
  const resetToken = search.get('reset')
  useRedirectWhenSignedIn()
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
  return (
    <AuthFrame>
      {view === 'forgot' ? (
        <ForgotPasswordForm email={email} onBack={() => setView('sign-in')} />
      ) : (
        <SignInForm
          notice={
            view === 'changed'
              ? 'Your password was changed. Sign in with the new one.'
              : search.has('deleted')
                ? 'Your account was deleted, with everything in it.'
                : search.get('next')?.includes('invitation=')
                  ? 'Sign in to answer your invitation.'
                  : search.has('next')
                    ? 'You were signed out. Sign in to pick up where you left off.'
                    : undefined
          }
          onForgot={(typedEmail) => {
            setEmail(typedEmail)
            setView('forgot')
          }}
        />
      )}
    </AuthFrame>
  )
}
