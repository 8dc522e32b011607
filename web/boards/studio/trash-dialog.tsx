import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { boards } from '#contract/boards/boards.ts'
import type { CallResult } from '#web/api/api.ts'
import { readAllPages } from '#web/api/api-pages.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { boardsKey } from '../board-queries.ts'
import { QueryPlaceholder } from './studio-frame.tsx'

interface TrashDialogProps {
  onRestore: (id: string) => Promise<void>
  onClose: () => void
}

type DeletedBoard = CallResult<typeof boards.trash>[number]

export default function TrashDialog({ onRestore, onClose }: TrashDialogProps) {
  const [restoringId, setRestoringId] = useState<string>()
  const query = useQuery({
    queryKey: [...boardsKey, 'trash'],
    queryFn: ({ signal }) => readAllPages<DeletedBoard>(boards.trash, {}, signal),
  })
  const { visible, showMoreButton } = useLimitedList(query.data ?? [], {
    initialVisible: 50,
    size: 'small',
    variant: 'plain',
    className: 'mt-3',
  })

  async function restore(id: string) {
    if (restoringId) return
    setRestoringId(id)
    await onRestore(id)
    onClose()
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Recently deleted boards"
      description="Deleted boards stay here for 30 days, then they’re removed for good."
    >
      <QueryPlaceholder query={query} title="Failed to load deleted boards" skeleton={<Skeleton className="h-32" />} />
      {query.data?.length === 0 && (
        <EmptyPanel drawing="drawer" title="No deleted boards">
          Boards you delete can be restored from here.
        </EmptyPanel>
      )}
      <ul className="flex flex-col gap-2">
        {visible.map(({ id, name, frameCount, deletedAt, goneAt }) => (
          <li key={id} className="flex items-center gap-3 rounded-lg border border-border bg-card px-4 py-2.5">
            <div className="min-w-0 flex-1">
              <p dir="auto" className="truncate font-semibold">
                {name}
              </p>
              <p className="text-small text-muted-foreground">
                {pluralize(frameCount, 'frame')}, deleted <Time value={deletedAt} />, removed for good{' '}
                <Time value={goneAt} />
              </p>
            </div>
            <Button
              size="small"
              icon={<Undo2 aria-hidden size={14} />}
              aria-label={`Restore ${name}`}
              busy={restoringId === id}
              onClick={() => void restore(id)}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
      {showMoreButton}
    </Dialog>
  )
}
