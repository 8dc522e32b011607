import { CloudOff, Eye, GitCompareArrows, History } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, type ButtonProps } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { isSampleBoard } from '../board-queries.ts'
import { useBoard, useBoardEditor, type useSaveBoard } from '../document/use-board-editor.tsx'

const BoardConflictDialog = lazyComponent(async () => (await import('./board-conflict-dialog.tsx')).default)

type BoardSaving = ReturnType<typeof useSaveBoard>

/** The state of the open board, and the review of a conflict. */
export function StudioBars({ save, isReviewing, setReviewing }: BoardSaving) {
  const editor = useBoardEditor()
  const { hasRestoredChanges, problem, conflict, board } = useBoard((state) => state)
  return (
    <div className="shrink-0" data-chrome>
      {isSampleBoard(board.id) && (
        <StatusBar icon={<CloudOff aria-hidden size={15} className="shrink-0 text-warning" />}>
          Offline, showing samples. Nothing here can be changed.
        </StatusBar>
      )}
      {!isSampleBoard(board.id) && board.may === 'view' && (
        <StatusBar icon={<Eye aria-hidden size={15} className="shrink-0 text-muted-foreground" />}>
          {`${board.owner.name ?? 'Someone'} shared this board with you as view-only. Duplicate it to make changes.`}
        </StatusBar>
      )}
      {hasRestoredChanges && !conflict && (
        <StatusBar
          icon={<History aria-hidden size={15} className="shrink-0 text-info" />}
          action={
            <Button size="small" variant="plain" onClick={() => editor.discard()}>
              Discard
            </Button>
          }
        >
          Your unsaved changes were restored.
        </StatusBar>
      )}
      {conflict && (
        <StatusBar
          icon={<GitCompareArrows aria-hidden size={15} className="shrink-0 text-warning" />}
          action={
            <Button size="small" variant="plain" onClick={() => setReviewing(true)}>
              Compare
            </Button>
          }
        >
          This board was saved elsewhere while you were editing. Your changes are safe. Compare both versions before you
          save.
        </StatusBar>
      )}
      {problem && (
        <Banner
          tone="error"
          className="m-2"
          action={
            <Button size="small" variant="plain" onClick={() => void save()}>
              Try Again
            </Button>
          }
        >
          The board wasn’t saved. {problem} Your changes stay here and in this browser.
        </Banner>
      )}
      {isReviewing && conflict && (
        <BoardConflictDialog conflict={conflict} onClose={() => setReviewing(false)} onResolved={save} />
      )}
    </div>
  )
}

interface SaveButtonProps extends Pick<BoardSaving, 'save'>, Pick<ButtonProps, 'size' | 'className'> {
  canEdit: boolean
  isPhone?: boolean
}

export function SaveButton({ save, canEdit, isPhone = false, ...button }: SaveButtonProps) {
  const isSaving = useBoard((state) => state.isSaving)
  return (
    <Button
      {...button}
      variant="primary"
      busy={isSaving}
      // With `busyLabel`, the button always has the width of the longer label, which a phone has no room for.
      busyLabel={isPhone ? undefined : 'Saving...'}
      disabled={!canEdit}
      aria-keyshortcuts="Control+S Meta+S"
      onClick={() => void save()}
    >
      {isPhone && isSaving ? 'Saving...' : 'Save'}
    </Button>
  )
}

function StatusBar({ icon, action, children }: { icon: ReactNode; action?: ReactNode; children: ReactNode }) {
  return (
    <div
      role="status"
      className="flex min-h-9 animate-fade items-center gap-2.5 border-b border-border bg-info-soft px-3.5 py-1 text-ui"
    >
      {icon}
      <p className="min-w-0 flex-1">{children}</p>
      {action}
    </div>
  )
}
