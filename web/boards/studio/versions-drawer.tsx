import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type BoardVersion, boards } from '#contract/boards/boards.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ShowMore } from '#web/ui/controls/show-more.tsx'
import { Drawer } from '#web/ui/overlays/drawer.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Skeleton, SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { boardsKey, cacheBoard } from '../board-queries.ts'
import { diffDocuments } from '../document/board-changes.ts'
import { toDocument } from '../document/board-document.ts'
import { useBoard, useBoardEditor } from '../document/use-board-editor.tsx'
import { BoardPicture } from './board-picture.tsx'
import { describeChanges } from './describe-changes.ts'
import { QueryPlaceholder } from './studio-frame.tsx'

interface VersionsDrawerProps {
  save: () => Promise<boolean>
  onClose: () => void
}

export default function VersionsDrawer({ save, onClose }: VersionsDrawerProps) {
  const { id, rev, may } = useBoard((state) => state.board)
  const [openRev, setOpenRev] = useState<number>()
  const versionsQuery = useInfiniteQuery({
    queryKey: [...boardsKey, 'versions', id, rev],
    queryFn: ({ pageParam, signal }) =>
      call(boards.versions, {
        params: { id },
        query: { limit: 20, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
  const versions = versionsQuery.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title="Version history" className="w-[460px]">
      <QueryPlaceholder
        query={versionsQuery}
        title="Failed to load versions"
        skeleton={
          <SkeletonRows label="Loading versions" count={3} rowClassName="h-14" className="flex flex-col gap-4" />
        }
      />
      {versionsQuery.data && versions.length === 0 && (
        <p className="text-ui text-muted-foreground">No earlier versions yet. Each save creates one.</p>
      )}
      <ol className="flex flex-col gap-3">
        {versions.map((version) => (
          <li key={version.rev} className="rounded-lg border border-border bg-card p-3.5">
            <VersionHead version={version} isCurrent={version.rev === rev} />
            {openRev === version.rev ? (
              <VersionPreview
                boardId={id}
                rev={version.rev}
                canRestore={may !== 'view' && version.rev !== rev}
                save={save}
                onRestored={onClose}
              />
            ) : (
              <Button
                size="small"
                className="mt-2.5"
                aria-label={`View version ${version.rev}`}
                onClick={() => setOpenRev(version.rev)}
              >
                View
              </Button>
            )}
          </li>
        ))}
      </ol>
      {versionsQuery.hasNextPage && (
        <ShowMore {...versionsQuery} label="Show older versions" size="medium" className="mt-3" />
      )}
    </Drawer>
  )
}

function VersionHead({
  version: { rev, at, by, name, frameCount },
  isCurrent,
}: {
  version: BoardVersion
  isCurrent: boolean
}) {
  return (
    <>
      <p className="text-ui font-semibold">{isCurrent ? `Version ${rev}, current` : `Version ${rev}`}</p>
      <p className="text-small text-muted-foreground">
        <Time value={at} timeStyle="date-time" />
        {by && `, ${by.name ?? 'someone'}`}
      </p>
      <p className="mt-1 truncate text-small">
        {name}, {pluralize(frameCount, 'frame')}
      </p>
    </>
  )
}

interface VersionPreviewProps {
  boardId: string
  rev: number
  canRestore: boolean
  save: () => Promise<boolean>
  onRestored: () => void
}

function VersionPreview({ boardId, rev, canRestore, save, onRestored }: VersionPreviewProps) {
  const editor = useBoardEditor()
  const queryClient = useQueryClient()
  const currentDocument = useBoard((state) => state.document)
  const isDirty = useBoard((state) => state.isDirty)
  const restore = useMutation({
    mutationFn: async () => {
      // Saving first puts the current board into the history.
      if (isDirty && !(await save())) return
      const board = await call(boards.restoreVersion, { params: { id: boardId, rev } })
      editor.adopt(board)
      cacheBoard(queryClient, board)
      onRestored()
    },
  })
  const query = useQuery({
    queryKey: [...boardsKey, 'version', boardId, rev],
    queryFn: ({ signal }) => call(boards.version, { params: { id: boardId, rev }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data } = query
  if (!data)
    return (
      <QueryPlaceholder
        query={query}
        title="Failed to load this version"
        skeleton={<Skeleton className="mt-3 h-40" />}
        className="mt-3"
      />
    )
  const change = diffDocuments(currentDocument, toDocument(data))
  const changeSentences = describeChanges(change)

  return (
    <div className="mt-3 flex flex-col gap-2.5">
      <BoardPicture
        frames={data.frames}
        highlightedIds={new Set(change.frames.map(({ id }) => id))}
        label={`Version ${rev}: ${data.frames.map((frame) => frame.data.name).join(', ') || 'no frames'}`}
      />
      <div className="text-small">
        <p className="font-label text-muted-foreground">
          {changeSentences.length === 0 ? 'Identical to the current board.' : 'Changes from now to this version'}
        </p>
        <ul className="mt-1 flex max-h-40 list-disc flex-col gap-0.5 overflow-y-auto ps-4">
          {changeSentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </div>
      {restore.error && <Banner tone="error">{restore.error.message}</Banner>}
      {canRestore && (
        <>
          <Button
            variant="primary"
            size="small"
            className="self-start"
            busy={restore.isPending}
            busyLabel="Restoring..."
            aria-label={`Restore version ${rev}`}
            onClick={() => restore.mutate()}
          >
            Restore
          </Button>
          <p className="text-small text-muted-foreground">
            {isDirty ? 'Unsaved changes are saved first. ' : ''}The current board is kept as a version.
          </p>
        </>
      )}
    </div>
  )
}
