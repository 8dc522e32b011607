import { useEffect, useState } from 'react'
import { AuthFrame } from './auth-frame.tsx'
import { ForgotPasswordForm } from './forgot-password-form.tsx'
import { ResetPasswordForm } from './reset-password-form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { useGoOnWhenSignedIn } from './use-go-on-when-signed-in.ts'
import { useSearch } from './use-search.ts'

/** Written into login.html when the application is built; needs neither router nor query client. */
export function LoginPage() {
  const search = useSearch()
  // Inside the application no document of its own says it.
  useEffect(() => {
    document.title = 'Login · Keeper'
  }, [])
  const resetToken = search.get('reset')
  useGoOnWhenSignedIn()
  const [view, setView] = useState<'sign-in' | 'forgot' | 'changed'>('sign-in')
  const [email, setEmail] = useState('')
  const [leftLink, setLeftLink] = useState(false)

  function leave(next: typeof view) {
    history.replaceState(null, '', '/login')
    setLeftLink(true)
    setView(next)
  }

  if (resetToken && !leftLink) {
    return (
      <AuthFrame>
        <ResetPasswordForm token={resetToken} onChanged={() => leave('changed')} onForgot={() => leave('forgot')} />
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
              ? 'Your password is changed. Sign in with the new one.'
              : search.has('deleted')
                ? 'Your account was deleted, with everything in it.'
                : search.get('next')?.includes('invitation=')
                  ? 'Sign in to answer your invitation.'
                  : search.has('next')
                    ? 'You were signed out. Sign in to go on where you were.'
                    : undefined
          }
          onForgot={(typed) => {
            setEmail(typed)
            setView('forgot')
          }}
        />
      )}
    </AuthFrame>
  )
}
