import { type ReactNode, useId } from 'react'
import type { PlatformUserDetails } from '#contract/administration/administration.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { DetailList } from '#web/ui/panels/detail-list.tsx'
import { Time } from '#web/ui/text/time.tsx'

/** Shows counts and sessions, never content. */
export function UserSummary({ user }: { user: PlatformUserDetails }) {
  const { counts } = user
  const stats = [
    ['Keepers', counts.keepers],
    ['Agents', counts.agents],
    ['Boards', counts.boards],
    ['Domains', counts.domains],
    ['Runs', counts.runs],
    ['Errors', counts.errors],
  ] as const
  return (
    <>
      <p className="wrap-break-word text-muted-foreground">{user.email}</p>
      <div className="mt-2 flex flex-wrap gap-1.5 empty:hidden">
        {user.deactivatedAt && (
          <Badge tone="warning">
            Deactivated <Time value={user.deactivatedAt} />
          </Badge>
        )}
        {user.deletesAt &&
          (user.deactivatedAt && user.deactivatedAt < user.deletesAt ? (
            <Badge tone="neutral">Deletion requested</Badge>
          ) : (
            <Badge tone="destructive">
              Deleted on <Time value={user.deletesAt} />
            </Badge>
          ))}
      </div>
      <DetailList
        className="mt-4 gap-x-4 gap-y-1"
        details={[
          ...(user.nickname ? [['Nickname', user.nickname] as const] : []),
          ['Joined', <Time key="joined" value={user.createdAt} />],
          [
            'Last sign-in',
            user.lastLoginAt ? <Time key="sign-in" value={user.lastLoginAt} timeStyle="date-time" /> : 'Never',
          ],
        ]}
      />
      <dl className="mt-4 grid grid-cols-3 gap-2">
        {stats.map(([name, value]) => (
          <div key={name} className="flex flex-col-reverse">
            <dt className="text-small text-muted-foreground">{name}</dt>
            <dd className="font-serif text-[1.375rem] leading-7 tabular-nums">{value.toLocaleString('en-US')}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-1 text-small text-muted-foreground">Runs and errors: last 30 days.</p>

      <DrawerSection title="Domains">
        <List empty="No domains.">
          {user.domains.map(({ id, name, role }) => (
            <li key={id} className="flex items-center gap-2">
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {name}
              </span>
              <Badge tone={role === 'owner' ? 'ribbon' : 'neutral'}>{role}</Badge>
            </li>
          ))}
        </List>
      </DrawerSection>
      <DrawerSection title="Sessions">
        <List empty="No active sessions.">
          {user.sessions.map(({ id, device, lastSeenAt, current }) => (
            <li key={id} className="flex items-baseline gap-2">
              <span className="min-w-0 flex-1 truncate">
                {device ?? 'Unknown browser'}
                {current && <span className="text-muted-foreground"> (this session)</span>}
              </span>
              <span className="text-small text-muted-foreground">
                Last seen <Time value={lastSeenAt} timeStyle="date-time" />
              </span>
            </li>
          ))}
        </List>
      </DrawerSection>
      <DrawerSection title="Personal keys">
        <List empty="No saved keys.">
          {user.keys.map(({ provider, masked }) => (
            <li key={provider} className="flex items-baseline gap-2">
              <span className="flex-1">{provider}</span>
              <code className="text-small text-muted-foreground">{masked}</code>
            </li>
          ))}
        </List>
      </DrawerSection>
    </>
  )
}

function List({ empty, children }: { empty: string; children: ReactNode[] }) {
  if (children.length === 0) return <p className="text-ui text-muted-foreground">{empty}</p>
  return <ul className="flex flex-col gap-1.5 text-ui">{children}</ul>
}

export function DrawerSection({ title, children }: { title: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-5 border-t border-hairline pt-4">
      <h4 dir="auto" id={id} className="mb-2 font-sans text-small font-label text-muted-foreground">
        {title}
      </h4>
      {children}
    </section>
  )
}
