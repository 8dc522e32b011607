import { useMutation, useQueryClient } from '@tanstack/react-query'
import { LogOut, MonitorSmartphone } from 'lucide-react'
import { type AccountSession, ownAccount } from '#contract/accounts/own-account.ts'
import type { SessionMethod } from '#contract/accounts/session-methods.ts'
import { call } from '#web/api/api.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { Time } from '#web/ui/text/time.tsx'
import { accountSessionsKey, useAccountSessions } from './account-queries.ts'
import { toAccountFailureText } from './check-account.ts'

export function SessionsSection() {
  const query = useAccountSessions()
  const { data: sessions } = query
  const queryClient = useQueryClient()
  /** Ends one session, or all others. */
  const signOut = useMutation({
    mutationFn: (session: AccountSession | undefined): Promise<unknown> =>
      session ? call(ownAccount.endSession, { params: { id: session.id } }) : call(ownAccount.endOtherSessions),
    onSettled: () => queryClient.invalidateQueries({ queryKey: accountSessionsKey }),
  })
  const getButtonState = (session?: AccountSession) => {
    const isEnding = signOut.isPending && signOut.variables?.id === session?.id
    return { busy: isEnding, busyLabel: 'Signing out...', disabled: signOut.isPending && !isEnding }
  }

  return (
    <Section
      title="Where you’re signed in"
      help="If you don’t recognize a device, sign it out and change your password."
      className="border-t! pt-[30px]!"
    >
      {signOut.isSuccess && (
        <Banner key={signOut.submittedAt} tone="success">
          {signOut.variables
            ? `${getDeviceName(signOut.variables)} was signed out.`
            : 'You’re signed out everywhere else.'}
        </Banner>
      )}
      {signOut.error && <Banner tone="error">{toAccountFailureText(signOut.error)}</Banner>}
      <QueryState
        query={query}
        skeleton={<SkeletonRows rowClassName="h-24" />}
        title="Your sessions couldn’t be loaded"
      />
      {sessions && (
        <ul className="border-y border-border">
          {sessions.map((session) => (
            <li
              key={session.id}
              data-item
              className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b border-hairline py-2.5 last:border-b-0"
            >
              <MonitorSmartphone aria-hidden size={18} className="shrink-0 text-muted-foreground" />
              <span className="min-w-0 flex-1 basis-48">
                <span className="flex flex-wrap items-center gap-2 font-medium">
                  {getDeviceName(session)}
                  {session.current && <Badge tone="success">This session</Badge>}
                </span>
                <span className="block text-small text-muted-foreground">
                  Since <Time value={session.createdAt} />
                  {session.method && `, with ${methodTexts[session.method]}`}
                  {!session.current && (
                    <>
                      , last seen <Time value={session.lastSeenAt} timeStyle="date-time" />
                    </>
                  )}
                </span>
              </span>
              {!session.current && (
                <Button
                  size="small"
                  aria-label={`Sign out ${getDeviceName(session)}, last seen ${formatTime(session.lastSeenAt, 'date-time')}`}
                  icon={<LogOut aria-hidden size={14} />}
                  onClick={() => signOut.mutate(session)}
                  {...getButtonState(session)}
                >
                  Sign out
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {sessions && sessions.length > 1 && (
        <div>
          <Button onClick={() => signOut.mutate(undefined)} {...getButtonState()}>
            Sign out everywhere else
          </Button>
        </div>
      )}
    </Section>
  )
}

const methodTexts: Record<SessionMethod, string> = {
  password: 'password',
  'password+totp': 'password and code',
  'password+recovery': 'password and recovery code',
  'password+passkey': 'password and passkey',
  passkey: 'passkey',
  oidc: 'single sign-on',
  'oidc+totp': 'single sign-on and code',
  'oidc+recovery': 'single sign-on and recovery code',
  'oidc+passkey': 'single sign-on and passkey',
}

function getDeviceName({ device }: AccountSession): string {
  return device ?? 'Unknown browser'
}
