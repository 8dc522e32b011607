import { useEffect } from 'react'
import { accounts } from '#contract/accounts/accounts.ts'
import { call } from '#web/api.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { AuthFrame, AuthHeading, AuthLink } from './auth-frame.tsx'
import { emailProblem, newPasswordProblem, passwordHelp } from './check-account.ts'
import { goOnSignedIn } from './go-on-signed-in.ts'
import { useGoOnWhenSignedIn } from './use-go-on-when-signed-in.ts'
import { useSearch } from './use-search.ts'
import { useSubmit } from './use-submit.ts'

/** Written into register.html when the application is built; needs neither router nor query client. */
export function RegisterPage() {
  useEffect(() => {
    document.title = 'Begin · Keeper'
  }, [])
  const setupToken = useSearch().get('setup') ?? undefined
  useGoOnWhenSignedIn()
  const { busy, failure, errors, form } = useSubmit({
    check: ({ email, password }) => ({ email: emailProblem(email), password: newPasswordProblem(password) }),
    send: async ({ name, email = '', password = '' }) =>
      goOnSignedIn(
        await call(accounts.register, {
          body: { email: email.trim(), password, name: name?.trim() || undefined, setupToken },
        }),
      ),
  })
  return (
    <AuthFrame>
      <AuthHeading title="Begin Your Journey">A keeper, a place for it, and nobody else looking in.</AuthHeading>
      <form {...form} className="flex flex-col gap-4">
        {setupToken && (
          <Banner tone="info">
            You opened a set-up link. If it is still good, this account will administer the server.
          </Banner>
        )}
        {failure && <Banner tone="error">{failure}</Banner>}
        <TextField label="Name" aside="Optional" name="name" autoComplete="name" maxLength={120} error={errors.name} />
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.email}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="new-password"
          help={passwordHelp}
          error={errors.password}
        />
        <Button
          type="submit"
          variant="primary"
          size="large"
          busy={busy}
          busyLabel="Beginning..."
          className="mt-2 w-full"
        >
          Begin
        </Button>
        <p>
          <AuthLink href="/login" question="Already have a keeper?" answer="Sign in." />
        </p>
      </form>
    </AuthFrame>
  )
}
