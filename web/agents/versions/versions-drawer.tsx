import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { diffSnapshots } from '#contract/agents/version-changes.ts'
import { type AgentSnapshot, type AgentVersion, versions } from '#contract/agents/versions.ts'
import { ApiError, call } from '#web/api/api.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { ShowMore } from '#web/ui/controls/show-more.tsx'
import { useNotice } from '#web/ui/hooks/use-notice.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Drawer } from '#web/ui/overlays/drawer.tsx'
import { Skeleton, SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { agentsKey } from '../agent-queries.ts'
import { FieldChanges, VersionEntry } from './version-entry.tsx'

export interface VersionsDrawerProps {
  agent: Agent
  /** A linked version; otherwise the newest is expanded. */
  requestedVersion?: number | undefined
  open: boolean
  onOpenChange: (open: boolean) => void
  unsaved: boolean
  onRestored: () => void
}

export default function VersionsDrawer({
  agent,
  requestedVersion,
  open,
  onOpenChange,
  unsaved,
  onRestored,
}: VersionsDrawerProps) {
  const queryClient = useQueryClient()
  const [versionToRestore, setVersionToRestore] = useState<AgentVersion>()
  const { showNotice, noticeBanner } = useNotice('mb-4')
  const versionsQuery = useInfiniteQuery({
    queryKey: [...agentsKey, 'versions', agent.id, agent.rev],
    queryFn: ({ pageParam, signal }) =>
      call(versions.list, {
        params: { agentId: agent.id },
        query: { limit: 20, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    enabled: open,
    // Keeps the list, and the focused button, in place after restoring a version.
    placeholderData: keepPreviousData,
  })
  const items = versionsQuery.data?.pages.flatMap((page) => page.items) ?? []

  function handleRestored(notes: string[], restoredVersion: number) {
    showNotice('info', [`Version ${restoredVersion} was restored.`, ...notes].join(' '))
    onRestored()
    void queryClient.invalidateQueries({ queryKey: agentsKey })
  }

  return (
    <Drawer open={open} onOpenChange={onOpenChange} title={withNames`Versions of ${agent.name}`} className="w-[520px]">
      {noticeBanner}
      <QueryState
        query={versionsQuery}
        skeleton={<SkeletonRows label="Loading versions" count={3} rowClassName="h-16" />}
        title={(reason) => `Error loading versions: ${reason.message}`}
      />
      <ol className="flex flex-col">
        {items.map((version, index) => (
          <VersionEntry
            key={version.version}
            version={version}
            isCurrent={version.version === agent.rev}
            isExpanded={requestedVersion === undefined ? index === 0 : version.version === requestedVersion}
            onRestore={agent.may.edit && version.version !== agent.rev ? () => setVersionToRestore(version) : undefined}
          />
        ))}
      </ol>
      {versionsQuery.hasNextPage && (
        <ShowMore {...versionsQuery} label="Show older versions" size="medium" className="mt-3" />
      )}
      {versionToRestore && (
        <RestoreVersionDialog
          agent={agent}
          version={versionToRestore.version}
          unsaved={unsaved}
          onClose={() => setVersionToRestore(undefined)}
          onRestored={handleRestored}
        />
      )}
    </Drawer>
  )
}

interface RestoreVersionDialogProps {
  agent: Agent
  version: number
  unsaved: boolean
  onClose: () => void
  onRestored: (notes: string[], version: number) => void
}

function RestoreVersionDialog({ agent, version, unsaved, onClose, onRestored }: RestoreVersionDialogProps) {
  const params = { agentId: agent.id, version }
  const { data, error: loadError } = useQuery({
    queryKey: [...agentsKey, 'version', agent.id, version],
    queryFn: ({ signal }) => call(versions.show, { params, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  // The status isn’t restored.
  const changes = data && diffSnapshots(toSnapshot(agent, data.snapshot), { ...data.snapshot, status: agent.status })

  async function restore() {
    const { notes } = await call(versions.restore, { params })
    onRestored(notes, version)
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Restore version ${version}?`}
      confirmLabel="Restore"
      busyLabel="Restoring..."
      tone="primary"
      onConfirm={restore}
      formatError={describeRestoreError}
    >
      <p>The restored version is saved as a new one. The versions in between stay in the list.</p>
      {unsaved && <p className="mt-2 font-label">Changes since the last save are discarded.</p>}
      <div className="mt-3 max-h-[45dvh] overflow-y-auto rounded-md border border-hairline px-3 py-2.5">
        {loadError && <p className="text-destructive">{loadError.message}</p>}
        {!data && !loadError && <Skeleton className="h-16" />}
        {changes &&
          (changes.length > 0 ? (
            <FieldChanges changes={changes} />
          ) : (
            <p>This version is identical to the current one.</p>
          ))}
      </div>
    </ConfirmDialog>
  )
}

function toSnapshot(agent: Agent, reference: AgentSnapshot): AgentSnapshot {
  const fields = Object.keys(reference).map((field) => [field, agent[field as keyof AgentSnapshot]])
  return Object.fromEntries(fields) as AgentSnapshot
}

function describeRestoreError(reason: unknown): string {
  const fields = reason instanceof ApiError ? Object.values(reason.fields ?? {}) : []
  return fields.join(' ') || (reason instanceof Error && reason.message) || 'The version couldn’t be restored.'
}
