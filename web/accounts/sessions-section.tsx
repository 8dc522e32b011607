import { useQueryClient } from '@tanstack/react-query'
import { LogOut, MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { type AccountSession, ownAccount } from '#contract/accounts/own-account.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { Time } from '#web/ui/text/time.tsx'
import { accountSessionsKey, useAccountSessions } from './account-queries.ts'
import { toAccountFailureText } from './check-account.ts'

const otherSessionsKey = 'everywhere else'

export function SessionsSection() {
  const { data: sessions, error, isPending, refetch, isRefetching } = useAccountSessions()
  const queryClient = useQueryClient()
  const [endingKey, setEndingKey] = useState<string>()
  const [notice, setNotice] = useState<string>()
  const [failure, setFailure] = useState<string>()

  async function end(key: string, send: () => Promise<unknown>, doneText: string) {
    setEndingKey(key)
    setFailure(undefined)
    setNotice(undefined)
    try {
      await send()
      setNotice(doneText)
    } catch (reason) {
      setFailure(toAccountFailureText(reason))
    } finally {
      await queryClient.invalidateQueries({ queryKey: accountSessionsKey })
      setEndingKey(undefined)
    }
  }
  const signOut = (session: AccountSession) =>
    end(
      session.id,
      () => call(ownAccount.endSession, { params: { id: session.id } }),
      `${getDeviceName(session)} was signed out.`,
    )
  const signOutOtherSessions = () =>
    end(otherSessionsKey, () => call(ownAccount.endOtherSessions), 'You’re signed out everywhere else.')

  return (
    <Section
      title="Where you’re signed in"
      help="If you don’t recognize one, sign it out and change your password."
      className="border-t! pt-[30px]!"
    >
      {notice && (
        <Banner tone="success" onDismiss={() => setNotice(undefined)}>
          {notice}
        </Banner>
      )}
      {failure && <Banner tone="error">{failure}</Banner>}
      {isPending && (
        <SkeletonGroup>
          <Skeleton className="h-24" />
        </SkeletonGroup>
      )}
      {error && !sessions && (
        <ErrorPanel
          reason={error}
          title="Your sessions couldn’t be loaded"
          onRetry={() => refetch()}
          retrying={isRefetching}
        />
      )}
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
                  busy={endingKey === session.id}
                  busyLabel="Signing out..."
                  disabled={endingKey !== undefined && endingKey !== session.id}
                  icon={<LogOut aria-hidden size={14} />}
                  onClick={() => signOut(session)}
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
          <Button
            busy={endingKey === otherSessionsKey}
            busyLabel="Signing out..."
            disabled={endingKey !== undefined && endingKey !== otherSessionsKey}
            onClick={signOutOtherSessions}
          >
            Sign out everywhere else
          </Button>
        </div>
      )}
    </Section>
  )
}

function getDeviceName({ device }: AccountSession): string {
  return device ?? 'Unknown browser'
}
