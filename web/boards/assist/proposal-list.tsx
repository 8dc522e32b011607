import { Check, Undo2, X } from 'lucide-react'
import { useRef } from 'react'
import type { Proposal } from '#contract/boards/board-assist.ts'
import type { Frame } from '#contract/boards/boards.ts'
import { getFrameTypeName } from '#contract/boards/frame-types.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { addFrames, removeFrames } from '../document/board-document.ts'
import { useBoardEditor, useFrameContext } from '../document/use-board-editor.tsx'
import { FrameView } from '../frames/frame-view.tsx'

interface ProposalListProps {
  proposals: readonly Proposal[]
  /** Frames neither accepted nor skipped, at their current positions. */
  pendingFrames: readonly Frame[]
  boardFrameIds: ReadonlySet<string>
  skippedIds: readonly string[]
  onSkippedChange: (skippedIds: string[]) => void
  onDone: () => void
}

/** Each accepted frame is one undoable edit of the board. */
export function ProposalList({
  proposals,
  pendingFrames,
  boardFrameIds,
  skippedIds,
  onSkippedChange,
  onDone,
}: ProposalListProps) {
  const editor = useBoardEditor()
  const list = useRef<HTMLUListElement>(null)
  const positionedFrames = new Map(pendingFrames.map((frame) => [frame.id, frame]))

  function getState(id: string): 'accepted' | 'skipped' | 'open' {
    if (boardFrameIds.has(id)) return 'accepted'
    return skippedIds.includes(id) ? 'skipped' : 'open'
  }

  function accept(frame: Frame) {
    editor.edit(`Add ${frame.data.name}`, addFrames([positionedFrames.get(frame.id) ?? frame]))
    focusNext(frame.id)
  }
  function acceptAll() {
    for (const frame of pendingFrames) editor.edit(`Add ${frame.data.name}`, addFrames([frame]))
  }
  function undoAccept({ id, data }: Frame) {
    editor.edit(`Remove ${data.name}`, removeFrames(new Set([id])))
    focusOn(id)
  }
  function skip({ id }: Frame) {
    onSkippedChange([...skippedIds, id])
    focusNext(id)
  }
  function restoreSkipped({ id }: Frame) {
    onSkippedChange(skippedIds.filter((frameId) => frameId !== id))
    focusOn(id)
  }
  /** The pressed button was unmounted: focus the next pending proposal, or this one's new button. */
  function focusNext(id: string) {
    const order = proposals.map(({ frame }) => frame.id)
    const nextPendingId = order.slice(order.indexOf(id) + 1).find((frameId) => positionedFrames.has(frameId))
    focusOn(nextPendingId ?? id)
  }
  const focusOn = (id: string) =>
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-proposal="${CSS.escape(id)}"] button`)?.focus(),
    )

  return (
    <>
      {pendingFrames.length > 0 ? (
        <Button variant="primary" onClick={acceptAll} icon={<Check aria-hidden size={14} />} className="mb-4">
          {pendingFrames.length === 1 ? 'Accept the last one' : `Accept all ${pendingFrames.length}`}
        </Button>
      ) : (
        <Button onClick={onDone} className="mb-4">
          Clear the list
        </Button>
      )}
      <ul ref={list} className="flex flex-col gap-4">
        {proposals.map(({ frame, why }) => {
          const { id, data } = frame
          const state = getState(id)
          return (
            <li
              key={id}
              data-proposal={id}
              data-state={state}
              className="grid grid-cols-[minmax(0,320px)_minmax(0,1fr)] gap-x-5 gap-y-3 rounded-lg border border-border bg-card p-4 phone:grid-cols-1"
            >
              {state !== 'skipped' && <ProposalPreview frame={positionedFrames.get(id) ?? frame} />}
              <div
                className={
                  state === 'skipped' ? 'col-span-full flex flex-wrap items-center gap-3' : 'flex flex-col gap-2'
                }
              >
                <h3 className="font-sans text-body font-semibold tracking-normal wrap-anywhere">
                  {data.name}{' '}
                  <span className="font-normal text-muted-foreground">{getFrameTypeName(data.frameType)}</span>
                </h3>
                {state !== 'skipped' && why && <p className="text-ui wrap-anywhere">{why}</p>}
                {state === 'open' && (
                  <div className="mt-1 flex flex-wrap gap-2">
                    <Button
                      size="small"
                      variant="primary"
                      aria-label={`Accept ${data.name}`}
                      onClick={() => accept(frame)}
                      icon={<Check aria-hidden size={13} />}
                    >
                      Accept
                    </Button>
                    <Button
                      size="small"
                      aria-label={`Skip ${data.name}`}
                      onClick={() => skip(frame)}
                      icon={<X aria-hidden size={13} />}
                    >
                      Skip
                    </Button>
                  </div>
                )}
                {state === 'accepted' && (
                  <div className="mt-1 flex flex-wrap items-center gap-2">
                    <Badge tone="success" icon={<Check aria-hidden size={11} />}>
                      On the board
                    </Badge>
                    <Button
                      size="small"
                      variant="plain"
                      aria-label={`Undo ${data.name}`}
                      onClick={() => undoAccept(frame)}
                      icon={<Undo2 aria-hidden size={13} />}
                    >
                      Undo
                    </Button>
                  </div>
                )}
                {state === 'skipped' && (
                  <>
                    <Badge>Skipped</Badge>
                    <Button
                      size="small"
                      variant="plain"
                      aria-label={`Restore ${data.name}`}
                      onClick={() => restoreSkipped(frame)}
                    >
                      Restore
                    </Button>
                  </>
                )}
              </div>
            </li>
          )
        })}
      </ul>
    </>
  )
}

const noop = () => undefined
const maxPreviewHeight = 260

function ProposalPreview({ frame }: { frame: Frame }) {
  const context = useFrameContext('view')
  const { height } = frame.data.size
  return (
    <div inert className="min-w-0" style={{ height: Math.min(height, maxPreviewHeight) }}>
      <FrameView frame={frame} context={context} changeContent={noop} />
    </div>
  )
}
