import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import type { EmailProblem, EmailState, EmailTest, PendingEmailKind } from '#contract/diagnostics/email.ts'
import { call } from '#web/api/api.ts'
import { Button, RetryButton } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'

const kindLabels: Record<PendingEmailKind, string> = {
  'password-reset': 'Password reset',
  'account-deletion': 'Account deletion',
  invitation: 'Invitation',
  'custom-domain-lost': 'Lost custom domain',
}
const problemLabels: Record<EmailProblem, string> = {
  unreachable: 'mail server unreachable',
  'sign-in-refused': 'sign-in refused',
  'sender-refused': 'sender refused',
  'server-busy': 'mail server busy',
  'refused-by-policy': 'refused by the mail server’s rules',
  'try-later': 'postponed by the mail server',
  'address-refused': 'address refused',
}
const emailKey = ['diagnostics', 'email']

/** For people with the permission to configure the system. */
export function EmailStatus({ isServerDown }: { isServerDown: boolean }) {
  const queryClient = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: emailKey,
    queryFn: ({ signal }) => call(diagnostics.email, { signal }),
  })
  const test = useMutation({
    mutationFn: () => call(diagnostics.testEmail),
    onSettled: () => queryClient.invalidateQueries({ queryKey: emailKey }),
  })
  return (
    <section aria-labelledby="email-status" className="mt-8">
      <h2 id="email-status" className="text-h3">
        Email
      </h2>
      {error && !data && (
        <p className="mt-1 flex flex-wrap items-center gap-3 text-ui text-muted-foreground">
          The state of email couldn’t be loaded. {error.message}
          <RetryButton busy={isFetching} onClick={() => refetch()} />
        </p>
      )}
      {data && (
        <>
          <p dir="auto" className="mt-1 text-ui wrap-anywhere text-muted-foreground">
            {data.sender ? `Emails come from ${data.sender}.` : data.warning}
          </p>
          {data.sender && data.warning && (
            <Banner tone="warning" className="mt-3">
              {data.warning}
            </Banner>
          )}
          {data.is_set_up && (
            <Button
              className="mt-3"
              disabled={isServerDown}
              busy={test.isPending}
              busyLabel="Sending..."
              onClick={() => test.mutate()}
            >
              Send test email
            </Button>
          )}
          <div role="status">
            {test.data && <TestResult test={test.data} />}
            {test.error && (
              <Banner tone="error" className="mt-3">
                {test.error.message}
              </Banner>
            )}
          </div>
          <UndeliveredEmails state={data} />
        </>
      )}
    </section>
  )
}

/** The result stays until the next test, so it isn't a success banner, which dismisses itself. */
function TestResult({ test: { accepted, to, message, answer } }: { test: EmailTest }) {
  return (
    <Banner key={message} tone={accepted ? 'info' : 'error'} className="mt-3">
      <p className="font-semibold wrap-anywhere">{accepted ? `Sent to ${to}` : `Not sent to ${to}`}</p>
      <p className="wrap-anywhere">{message}</p>
      {answer && (
        <p dir="auto" className="mt-1 font-mono text-code wrap-anywhere">
          {answer}
        </p>
      )}
    </Banner>
  )
}

function UndeliveredEmails({ state: { undelivered, undelivered_count } }: { state: EmailState }) {
  if (undelivered_count === 0) return null
  return (
    <>
      <h3 className="mt-4 font-sans tracking-normal text-ui font-semibold">
        {pluralize(undelivered_count, 'undelivered email')}
      </h3>
      <ul className="mt-1 flex flex-col gap-1 text-ui">
        {undelivered.map(({ id, kind, problem, at, next_attempt_at, person }) => (
          <li key={id} className="wrap-anywhere">
            {kindLabels[kind]}, {formatTime(at, 'date-time')}: {problemLabels[problem]},{' '}
            {next_attempt_at ? `next attempt ${formatTime(next_attempt_at, 'time')}` : 'not sent again'}
            {person && (
              <>
                {'. '}
                <Link to={`/admin/users?user=${person.id}`} className="underline">
                  {kind === 'password-reset' ? 'Copy a reset link for ' : 'Account of '}
                  <bdi>{person.name || 'this person'}</bdi>
                </Link>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
