import { useRef } from 'react'
import { visitorCalls } from '#contract/accounts/visitor-calls.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { AuthHeading, AuthLink } from './auth-frame.tsx'
import { getEmailProblem, getPasswordProblem } from './check-account.ts'
import { continueSignedIn } from './continue-signed-in.ts'
import { useSubmit } from './use-submit.ts'

interface SignInFormProps {
  notice?: string
  onForgot: (email: string) => void
}

export function SignInForm({ notice, onForgot }: SignInFormProps) {
  const emailField = useRef<HTMLInputElement>(null)
  const { busy, failure, errors, form } = useSubmit({
    validate: ({ email, password }) => ({ email: getEmailProblem(email), password: getPasswordProblem(password) }),
    send: async ({ email = '', password = '' }) =>
      continueSignedIn(await call(visitorCalls.login, { body: { email: email.trim(), password } })),
  })
  return (
    <>
      <AuthHeading title="Welcome Back">Your keepers have been quiet without you.</AuthHeading>
      <form {...form} className="flex flex-col gap-4">
        {failure ? <Banner tone="error">{failure}</Banner> : notice && <Banner tone="info">{notice}</Banner>}
        <TextField
          ref={emailField}
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.email}
        />
        <PasswordField label="Password" name="password" autoComplete="current-password" error={errors.password} />
        <Button
          type="submit"
          variant="primary"
          size="large"
          busy={busy}
          busyLabel="Signing in..."
          className="mt-2 w-full"
        >
          Sign in
        </Button>
        <p className="flex flex-wrap justify-between gap-x-4 gap-y-2">
          <AuthLink href="/register" question="Don't have a keeper yet?" answer="Begin here." />
          <button
            type="button"
            onClick={() => onForgot(emailField.current?.value ?? '')}
            className="rounded-xs text-muted-foreground underline-offset-[3px] hover:text-foreground hover:underline"
          >
            Forgot your password?
          </button>
        </p>
      </form>
    </>
  )
}
