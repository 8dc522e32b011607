import { useState } from 'react'
import { visitorCalls } from '#contract/accounts/visitor-calls.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { AuthHeading } from './auth-frame.tsx'
import { getEmailProblem } from './check-account.ts'
import { useSubmit } from './use-submit.ts'

interface ForgotPasswordFormProps {
  email: string
  onBack: () => void
}

const outcomes = {
  mailed: 'If an account uses this email, a link is on its way. It works once, for a short time.',
  'not-mailed': 'This server can’t send email. Ask your administrator for a reset link.',
}

export function ForgotPasswordForm({ email, onBack }: ForgotPasswordFormProps) {
  const [outcome, setOutcome] = useState<keyof typeof outcomes>()
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
        {outcome && <Banner tone="info">{outcomes[outcome]}</Banner>}
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          autoFocus
          defaultValue={email}
          error={errors.email}
        />
        <Button type="submit" variant="primary" size="large" busy={busy} busyLabel="Sending..." className="mt-2 w-full">
          Send a link
        </Button>
        <p>
          <button type="button" onClick={onBack} className="rounded-xs text-muted-foreground hover:text-foreground">
            Back to sign in
          </button>
        </p>
      </form>
    </>
  )
}
