import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useState } from 'react'
import { agents, type PublicAgent } from '#contract/agents/agents.ts'
import { type ChatSession, chat } from '#contract/agents/chat.ts'
import { call } from '#web/api/api.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { Pagination } from '#web/ui/controls/pagination.tsx'
import { isPhone } from '#web/ui/hooks/use-viewport-class.ts'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Drawer } from '#web/ui/overlays/drawer.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { getReasonText } from '../runs/reason-text.ts'
import { OnCustomHostContext } from './on-custom-host.ts'
import { SessionRow } from './session-row.tsx'

export interface SessionsDrawerProps {
  agent: PublicAgent
  openSessionId: string | null
  signedIn: boolean
  onClose: () => void
  onOpenSession: (sessionId: string) => void
  onRemoveSession: (sessionId: string) => Promise<void>
}

const pageSize = 20

export function SessionsDrawer({
  agent,
  openSessionId,
  signedIn,
  onClose,
  onOpenSession,
  onRemoveSession,
}: SessionsDrawerProps) {
  const [side] = useState<'bottom' | 'right'>(() => (isPhone() ? 'bottom' : 'right'))
  const isOnCustomHost = use(OnCustomHostContext)
  const [page, setPage] = useState(1)
  const [sessionToRemove, setSessionToRemove] = useState<ChatSession>()
  const queryClient = useQueryClient()
  const sessionsKey = ['agents', 'sessions', agent.id]
  const query = useQuery({
    queryKey: [...sessionsKey, page],
    queryFn: ({ signal }) => call(agents.sessions, { query: { agentId: agent.id, page, pageSize }, signal }),
    placeholderData: keepPreviousData,
    // Visitors get no live events, so always refetch.
    staleTime: 0,
  })
  const { data, isPlaceholderData } = query
  const refreshSessions = () => queryClient.invalidateQueries({ queryKey: sessionsKey })

  async function rename(session: ChatSession, sessionName: string) {
    await call(chat.rename, { params: { sessionId: session.id }, body: { sessionName } })
    await refreshSessions()
  }

  async function remove(session: ChatSession) {
    await onRemoveSession(session.id)
    if (data?.sessions.length === 1 && page > 1) setPage(page - 1)
    await refreshSessions()
  }

  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title="Sessions" side={side}>
      <QueryState
        query={query}
        skeleton={<SkeletonRows count={4} rowClassName="h-12" />}
        title={(reason) => getReasonText(reason, 'Failed to fetch sessions')}
      />
      {data?.sessions.length === 0 && (
        <p className="text-ui text-muted-foreground">
          No sessions with <bdi>{agent.name}</bdi> yet. Your first message starts one.
        </p>
      )}
      <ul aria-busy={isPlaceholderData} className="-mx-2 flex flex-col">
        {data?.sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isOpen={session.id === openSessionId}
            onOpen={() => {
              onOpenSession(session.id)
              onClose()
            }}
            onRename={(name) => rename(session, name)}
            onRemove={() => setSessionToRemove(session)}
          />
        ))}
      </ul>
      {data && data.totalPages > 1 && (
        <Pagination
          page={page}
          pageCount={data.totalPages}
          onPageChange={setPage}
          busy={isPlaceholderData}
          label="Pages of sessions"
          className="mt-4"
        />
      )}
      {!signedIn && (
        <p className="mt-4 text-small text-muted-foreground">
          {isOnCustomHost ? 'Your' : 'While you’re signed out, your'} sessions are tied to this browser and last one
          day.
        </p>
      )}
      {sessionToRemove && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setSessionToRemove(undefined)}
          title={withNames`Delete “${sessionToRemove.session_name}”?`}
          confirmLabel="Delete session"
          busyLabel="Deleting..."
          onConfirm={() => remove(sessionToRemove)}
          formatError={getReasonText}
        >
          This permanently deletes every message in this session, in all its branches. The logs keep the times and costs
          of its runs, but no text. This action cannot be undone.
        </ConfirmDialog>
      )}
    </Drawer>
  )
}
