import { LayoutDashboard, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { type BoardLayout, boardLayouts } from '#contract/boards/boards.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ChoiceCards } from '#web/ui/controls/choice-cards.tsx'
import { Switch } from '#web/ui/controls/switch.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { changeConfig, reorderFrame, setSnappedBoxes } from '../document/board-document.ts'
import { useBoard, useBoardEditor } from '../document/use-board-editor.tsx'
import { AnimationChoice } from './animation-choice.tsx'
import { arrangeFrames } from './arrange.ts'
import { LayoutDrawing } from './layout-drawing.tsx'
import { describeColumns, layoutLabels } from './layout-labels.ts'
import { getForcedLayout, getPresentation, withLayout } from './presentation.ts'
import { ReadingOrder } from './reading-order.tsx'

export function LayoutTab() {
  const editor = useBoardEditor()
  const config = useBoard(({ document }) => document.config)
  const frames = useBoard(({ document }) => document.frames)
  const canEdit = useBoard(({ board }) => board.may !== 'view')
  // Undo reverts the latest step, so offer it here only while that step is the arranging.
  const canUndoArrange = useBoard(({ undoLabel }) => undoLabel?.startsWith('Arrange ') === true)
  const [arrangedLayout, setArrangedLayout] = useState<BoardLayout>()
  const { layout } = getPresentation(config)
  const forcedLayout = getForcedLayout(config.engagementMode)
  const isFixed = !canEdit || !config.allowLayoutEditing

  function chooseLayout(next: BoardLayout) {
    editor.edit(`Lay out as ${layoutLabels[next].name.toLowerCase()}`, changeConfig(withLayout(config, next)))
  }
  function arrangeBoard() {
    const boxes = arrangeFrames(frames, layout)
    const hasMoves = frames.some(({ id, data: { position, size } }) => {
      const box = boxes.get(id)
      return (
        box && (box.x !== position.x || box.y !== position.y || box.width !== size.width || box.height !== size.height)
      )
    })
    editor.edit(`Arrange ${frames.length === 1 ? '1 frame' : `${frames.length} frames`}`, setSnappedBoxes(boxes))
    setArrangedLayout(hasMoves ? layout : undefined)
  }

  return (
    <div className="mx-auto grid max-w-[1080px] grid-cols-[minmax(0,3fr)_minmax(280px,2fr)] items-start gap-x-12 gap-y-8 p-7 phone:grid-cols-1 phone:p-4">
      <div className="flex min-w-0 flex-col gap-8">
        <section aria-labelledby="board-layout">
          <h2 id="board-layout" className="mb-1">
            Layout
          </h2>
          <p className="mb-4 text-ui text-muted-foreground">{describeColumns(layout, frames.length)}</p>
          <ChoiceCards
            label="Layout"
            labelHidden
            columns={2}
            value={layout}
            onValueChange={chooseLayout}
            options={boardLayouts.map((value) => ({
              value,
              title: layoutLabels[value].name,
              description: layoutLabels[value].description,
              picture: <LayoutDrawing layout={value} />,
              disabled: !canEdit,
            }))}
          />
          {forcedLayout && canEdit && (
            <p className="mt-2.5 text-small text-muted-foreground">
              {`The board’s engagement mode is ${config.engagementMode}. Choosing another layout sets it back to dialogic.`}
            </p>
          )}
        </section>
        <AnimationChoice
          value={config.animation}
          readOnly={!canEdit}
          onChange={(animation) => editor.edit('Change the animation', changeConfig({ animation }))}
        />
        <section aria-labelledby="board-arrange">
          <h3 id="board-arrange" className="mb-2">
            On the canvas
          </h3>
          <Switch
            label="Allow layout editing"
            help="When off, no one can move or reorder the frames on this board."
            checked={config.allowLayoutEditing}
            disabled={!canEdit}
            onCheckedChange={(allowLayoutEditing) =>
              editor.edit(
                allowLayoutEditing ? 'Allow layout editing' : 'Lock the layout',
                changeConfig({ allowLayoutEditing }),
              )
            }
          />
          <div className="mt-4 flex flex-wrap items-center gap-3">
            <Button
              icon={<LayoutDashboard aria-hidden size={15} />}
              disabled={isFixed || frames.length === 0}
              onClick={arrangeBoard}
            >
              Arrange
            </Button>
            <p className="min-w-0 flex-1 basis-56 text-small text-muted-foreground">
              {config.allowLayoutEditing
                ? `Arranges all frames on the canvas as ${layoutLabels[layout].name.toLowerCase()}, snapped to the 20-pixel grid.`
                : 'Allow layout editing to arrange frames and change their order.'}
            </p>
          </div>
          {arrangedLayout && canUndoArrange && (
            <Banner
              key={frames.length}
              tone="success"
              className="mt-3"
              onDismiss={() => setArrangedLayout(undefined)}
              action={
                <Button
                  size="small"
                  variant="plain"
                  icon={<Undo2 aria-hidden size={14} />}
                  onClick={() => {
                    editor.undo()
                    setArrangedLayout(undefined)
                  }}
                >
                  Undo
                </Button>
              }
            >
              {`Arranged as ${layoutLabels[arrangedLayout].name.toLowerCase()}.`}
            </Banner>
          )}
        </section>
      </div>
      <ReadingOrder
        frames={frames}
        readOnly={isFixed}
        onMove={(frame, to) => editor.edit(`Move ${frame.data.name} in the order`, reorderFrame(frame.id, to))}
      />
    </div>
  )
}
