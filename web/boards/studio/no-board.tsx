import { Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { useViewportClass } from '#web/ui/hooks/use-viewport-class.ts'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { BarFrame } from './bar-frame.tsx'
import { RightPanel } from './right-panel.tsx'
import type { BoardActions } from './use-board-actions.ts'

const FrameLibrary = lazy(() =>
  import('../canvas/frame-library.tsx').then((module) => ({ default: module.FrameLibrary })),
)

interface NoBoardProps {
  actions: BoardActions
  isOffline: boolean
  onBoards: (() => void) | undefined
}

export function NoBoard({ actions, isOffline, onBoards }: NoBoardProps) {
  const isPhone = useViewportClass() === 'phone'
  return (
    <>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <BarFrame
          name={<p className="truncate text-body text-muted-foreground">No board</p>}
          trailing={
            <>
              {onBoards && (
                <Button size="small" className="h-8" onClick={onBoards}>
                  Boards
                </Button>
              )}
              <Button variant="primary" size="small" className="h-8" disabled>
                Save
              </Button>
            </>
          }
        />
        <div className="grid min-h-0 flex-1 place-items-center overflow-y-auto p-6">
          <EmptyPanel
            drawing="frames"
            title="No Board Selected"
            className="w-full max-w-md border-none"
            action={
              <Button
                variant="primary"
                busy={actions.busy === 'create'}
                disabled={isOffline}
                icon={<Plus aria-hidden size={15} />}
                onClick={() => void actions.create()}
              >
                Create New Board
              </Button>
            }
          >
            A board is made of frames: pictures, chats, steps, agents. Choose one of your boards, or create a new one.
          </EmptyPanel>
        </div>
      </div>
      {!isPhone && (
        <RightPanel label="Frames">
          <Suspense fallback={null}>
            <FrameLibrary className="h-full" />
          </Suspense>
        </RightPanel>
      )}
    </>
  )
}
