import { LayoutDashboard, Play, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { animationSeconds, type BoardAnimation, type BoardLayout, boardLayouts } from '#contract/boards/boards.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ChoiceCards } from '#web/ui/controls/choice-cards.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { Switch } from '#web/ui/controls/switch.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { changeConfig, getFrameBox, isSameBox, reorderFrame, setFrameBoxes } from '../document/board-document.ts'
import { useBoard, useBoardEditor } from '../document/use-board-editor.tsx'
import { arrangeFrames } from './arrange.ts'
import { getForcedLayout, getGridColumnCount, getPresentation, withLayout } from './presentation.ts'
import { getEnterAnimation } from './preview-context.tsx'
import { ReadingOrder } from './reading-order.tsx'

const layoutLabels: Record<BoardLayout, { name: string; description: string }> = {
  grid: { name: 'Grid', description: 'Rows and columns of equal height' },
  column: { name: 'Column', description: 'Frames stacked top to bottom' },
  row: { name: 'Row', description: 'Side by side, scrolling sideways' },
  wizard: { name: 'Wizard', description: 'One step at a time' },
  focus: { name: 'Focus', description: 'One large frame, the others small' },
  canvas: { name: 'Canvas', description: 'Wherever you put each frame in Edit' },
}

const animationNames: Record<BoardAnimation, string> = {
  none: 'None',
  fade: 'Fade',
  slide: 'Slide',
  scale: 'Scale',
}

export function describeAnimation(animation: BoardAnimation): string {
  const seconds = animationSeconds[animation]
  return seconds === 0 ? 'Frames appear right away.' : `Frames appear over ${seconds} s.`
}

export function describeColumns(layout: BoardLayout, frameCount: number): string {
  if (frameCount === 0) return 'No frames yet.'
  const countText = pluralize(frameCount, 'frame')
  const columnCount = getGridColumnCount(frameCount)
  switch (layout) {
    case 'grid':
      if (columnCount === 1) return `${countText}: 1 column.`
      return columnCount === 2
        ? `${countText}: 2 columns, 1 on a phone.`
        : `${countText}: 3 columns at large widths, 2 on a tablet, 1 on a phone.`
    case 'column':
      return `${countText}: 1 column at every width.`
    case 'row':
      return `${countText}: 1 row, as wide as needed.`
    case 'wizard':
      return frameCount === 1
        ? '1 frame: 1 step.'
        : `${countText}: ${frameCount} steps, or fewer where frames are grouped.`
    case 'focus':
      return frameCount === 1 ? '1 large frame.' : `${countText}: 1 large, the others as cards below.`
    case 'canvas':
      return `${countText}: each stays where you put it.`
  }
}

const animationOptions = (Object.keys(animationSeconds) as BoardAnimation[]).map((value) => ({
  value,
  label: animationNames[value],
}))

interface AnimationChoiceProps {
  value: BoardAnimation
  onChange: (value: BoardAnimation) => void
  readOnly: boolean
}

function AnimationChoice({ value, onChange, readOnly }: AnimationChoiceProps) {
  const [playCount, setPlayCount] = useState(0)
  return (
    <section aria-labelledby="board-animation">
      <h3 id="board-animation">Animation</h3>
      <SegmentedControl
        label="Animation"
        options={animationOptions.map((option) => ({ ...option, disabled: readOnly }))}
        value={value}
        onValueChange={onChange}
        className="mt-2"
      />
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <div
          key={`${value} ${playCount}`}
          aria-hidden
          className="grid h-[72px] w-52 grid-cols-3 gap-2 rounded-md border border-border bg-muted p-2"
        >
          {[1, 2, 3].map((box) => (
            <div key={box} {...getEnterAnimation(value)}>
              <div className="h-full rounded-sm border border-input bg-card shadow-e1" />
            </div>
          ))}
        </div>
        <div>
          <p className="text-ui text-muted-foreground">{describeAnimation(value)}</p>
          {value !== 'none' && (
            <Button
              size="small"
              className="mt-1.5"
              icon={<Play aria-hidden size={13} />}
              onClick={() => setPlayCount(playCount + 1)}
            >
              Preview
            </Button>
          )}
        </div>
      </div>
      <p className="mt-2 text-small text-muted-foreground">Animations are off for people who prefer reduced motion.</p>
    </section>
  )
}

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
  const isReadOnly = !canEdit || !config.allowLayoutEditing

  function chooseLayout(next: BoardLayout) {
    editor.edit(`Lay out as ${layoutLabels[next].name.toLowerCase()}`, changeConfig(withLayout(config, next)))
  }
  function arrangeBoard() {
    const boxes = arrangeFrames(frames, layout)
    const hasMoves = frames.some((frame) => {
      const current = getFrameBox(frame)
      return !isSameBox(current, { ...current, ...boxes.get(frame.id) })
    })
    editor.edit(`Arrange ${pluralize(frames.length, 'frame')}`, setFrameBoxes(boxes, { snaps: true }))
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
              disabled={isReadOnly || frames.length === 0}
              onClick={arrangeBoard}
            >
              Arrange
            </Button>
            <p className="min-w-0 flex-1 basis-56 text-small text-muted-foreground">
              {config.allowLayoutEditing
                ? `Arranges all frames on the canvas${layout === 'canvas' ? '' : ` as ${layoutLabels[layout].name.toLowerCase()}`}, snapped to the 20-pixel grid.`
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
        readOnly={isReadOnly}
        onMove={(frame, to) => editor.edit(`Move ${frame.data.name} in the order`, reorderFrame(frame.id, to))}
      />
    </div>
  )
}

type LayoutBar = [x: number, y: number, width: number, height: number, strong?: 'strong']

/** Boxes on a sheet of 72 × 48. */
const layoutBars: Record<BoardLayout, LayoutBar[]> = {
  grid: [
    [4, 4, 19, 18],
    [26.5, 4, 19, 18],
    [49, 4, 19, 18],
    [4, 26, 19, 18],
    [26.5, 26, 19, 18],
    [49, 26, 19, 18],
  ],
  column: [
    [18, 4, 36, 11],
    [18, 18.5, 36, 11],
    [18, 33, 36, 11],
  ],
  row: [
    [4, 10, 22, 28],
    [30, 10, 22, 28],
    [56, 10, 12, 28],
  ],
  wizard: [
    [10, 12, 52, 24, 'strong'],
    [10, 4, 52, 3],
    [10, 40, 14, 4],
    [48, 40, 14, 4],
  ],
  focus: [
    [4, 4, 64, 27, 'strong'],
    [4, 35, 14, 9],
    [21, 35, 14, 9],
    [38, 35, 14, 9],
    [55, 35, 13, 9],
  ],
  canvas: [
    [6, 6, 22, 16],
    [36, 4, 28, 20],
    [10, 28, 18, 14],
    [40, 30, 16, 12],
  ],
}

function LayoutDrawing({ layout }: { layout: BoardLayout }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 72 48" width={72} height={48} className="shrink-0">
      <rect x=".75" y=".75" width="70.5" height="46.5" rx="4" fill="var(--k-muted)" stroke="var(--k-border)" />
      {layoutBars[layout].map(([x, y, width, height, strong]) => (
        <rect
          key={`${x} ${y}`}
          x={x}
          y={y}
          width={width}
          height={height}
          rx="1.8"
          fill={strong ? 'var(--k-ribbon-soft)' : 'var(--k-card)'}
          stroke={strong ? 'var(--k-ribbon)' : 'var(--k-input)'}
          strokeWidth="1.1"
        />
      ))}
      {layout === 'row' && (
        <path d="M60 42.5h7m-2.5-2.5 2.5 2.5-2.5 2.5" fill="none" stroke="var(--k-ribbon)" strokeWidth="1.4" />
      )}
    </svg>
  )
}
