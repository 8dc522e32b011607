import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ToolServer, tools } from '#contract/agents/tools.ts'
import { call } from '#web/api/api.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { getReasonText } from '../runs/reason-text.ts'

const toolServersKey = ['tool-servers'] as const
const pageSize = 100

export function ToolServers() {
  const query = useQuery({ queryKey: toolServersKey, queryFn: loadToolServers })
  const { data } = query
  const [selectedServer, setSelectedServer] = useState<ToolServer>()
  return (
    <section aria-label="Tool servers" className="mt-8">
      <h2>Tool servers</h2>
      <p className="mt-1 mb-4 max-w-[80ch] text-ui text-muted-foreground">
        Once an agent has read something a person keeps, tools that can send text out of Keeper ask before they run.
        Read-only tools of a server you trust don’t ask.
      </p>
      <QueryState
        query={query}
        skeleton={<SkeletonRows label="Loading the tool servers" rowClassName="h-5 w-60" />}
        title={(reason) => getReasonText(reason, 'Failed to load the tool servers')}
      >
        Nothing was changed.
      </QueryState>
      {data?.length === 0 && (
        <p className="text-ui">
          No tool servers are connected. Add some with KEEPER_MCP_SERVERS in this server’s settings.
        </p>
      )}
      <ul className="flex flex-col gap-4">
        {data?.map((server) => (
          <ServerCard key={server.id} server={server} onChange={() => setSelectedServer(server)} />
        ))}
      </ul>
      {selectedServer && <TrustDialog server={selectedServer} onClose={() => setSelectedServer(undefined)} />}
    </section>
  )
}

async function loadToolServers({ signal }: { signal: AbortSignal }): Promise<ToolServer[]> {
  const servers: ToolServer[] = []
  let cursor: string | null = null
  do {
    const query = { limit: pageSize, ...(cursor && { cursor }) }
    const page: { items: ToolServer[]; next_cursor: string | null } = await call(tools.servers, { query, signal })
    servers.push(...page.items)
    cursor = page.next_cursor
  } while (cursor)
  return servers
}

function ServerCard({ server, onChange }: { server: ToolServer; onChange: () => void }) {
  const { name, host, reason, trust } = server
  return (
    <li>
      <Card className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-[260px]">
          <div className="flex flex-wrap items-center gap-2">
            <h3 dir="auto" className="wrap-anywhere">
              {name}
            </h3>
            {trust && (
              <Badge tone="success" dot>
                Trusted
              </Badge>
            )}
            {reason !== null && <Badge tone="warning">Unreachable</Badge>}
          </div>
          <p className="mt-0.5 font-mono text-code wrap-anywhere text-muted-foreground">{host}</p>
          <p className="mt-2 text-ui">{describeTools(server)}</p>
          {reason !== null && <p className="mt-1 text-ui wrap-anywhere text-warning">{reason}</p>}
          {trust && (
            <p className="mt-1 text-small text-muted-foreground">
              {trust.source === 'settings' ? (
                'Trusted in this server’s settings.'
              ) : (
                <>
                  Trusted by{' '}
                  {trust.by ? (trust.by.name ?? 'an administrator') : 'an administrator whose account is deleted'}
                  {trust.at && (
                    <>
                      {', '}
                      <Time value={trust.at} />
                    </>
                  )}
                </>
              )}
            </p>
          )}
        </div>
        {trust?.source !== 'settings' && (
          <Button
            size="small"
            aria-label={trust ? `Stop trusting ${name}` : `Trust ${name}`}
            onClick={onChange}
            className="shrink-0"
          >
            {trust ? 'Stop trusting' : 'Trust'}
          </Button>
        )}
      </Card>
    </li>
  )
}

function describeTools({ tools: count, sending, writing }: ToolServer): string {
  if (count === 0) return 'No tools.'
  const parts = [sending > 0 && `${sending} can send text`, writing > 0 && `${writing} can change something`].filter(
    Boolean,
  )
  return `${[pluralize(count, 'tool'), parts.join(', ')].filter(Boolean).join(': ')}.`
}

function TrustDialog({ server, onClose }: { server: ToolServer; onClose: () => void }) {
  const queryClient = useQueryClient()
  const { id, name, host, trust } = server

  async function change() {
    await call(tools.trustServer, { params: { id }, body: { trusted: trust === null } })
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: toolServersKey }),
      queryClient.invalidateQueries({ queryKey: ['tools'] }),
    ])
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={trust ? `Stop trusting ${name}?` : `Trust ${name}?`}
      confirmLabel={trust ? 'Stop trusting' : 'Trust'}
      busyLabel="Saving..."
      tone="primary"
      onConfirm={change}
      formatError={(reason) => getReasonText(reason, `Failed to change trust in ${name}`)}
    >
      {trust
        ? `Starting with the next call, tools of ${name} that can send text ask again.`
        : `Read-only tools of ${name} will run without asking, even if the agent has read something a person keeps. What they send goes to ${host} and wherever ${name} passes it on. Tools that change something still ask. The change is in the audit log.`}
    </ConfirmDialog>
  )
}
