import {
  getViewportForBounds,
  type NodeChange,
  type OnNodesChange,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useStore,
  type Viewport,
  ViewportPortal,
} from '@xyflow/react'
import {
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { type Box, changeConfig, getBoundingBox, getFrameBox, type Point } from '../document/board-document.ts'
import { useBoard, useBoardEditor, useFrameContext } from '../document/use-board-editor.tsx'
import { ParticipantCursors } from '../together/participants.tsx'
import { useBoardSession } from '../together/use-board-session.tsx'
import { BoardMinimap } from './board-minimap.tsx'
import { readBoardView, showsAny, storeBoardView, toBoardView, toViewport } from './board-views.ts'
import { fitPadding } from './canvas-actions.ts'
import { useCanvasClipboard } from './canvas-clipboard.ts'
import {
  CanvasContext,
  type CanvasTools,
  getNameSize,
  NameSizeContext,
  ObservableValue,
  useObservable,
} from './canvas-context.ts'
import { CanvasDialogs, type OpenDialog } from './canvas-dialogs.tsx'
import { CanvasGrid } from './canvas-grid.tsx'
import { useCanvasScrolling } from './canvas-scrolling.ts'
import { type CanvasTool, CanvasToolsBar, isDrawingTool, SelectionBar } from './canvas-toolbars.tsx'
import { useDragFrames } from './drag-frames.tsx'
import { DrawLayer } from './draw-layer.tsx'
import { DropTarget, useDropStage } from './drop-target.tsx'
import { nodeTypes, toNodes } from './frame-node.tsx'
import { GuideLines } from './guides.tsx'
import { type CanvasNode, useCanvasFlow } from './use-canvas-flow.ts'
import { useCanvasKeys, useFrameFocus } from './use-canvas-keys.ts'
import { useCanvasParts } from './use-canvas-parts.ts'
import './canvas.css'

/** In canvas pixels; null outside the canvas. */
const canvasPointer = new ObservableValue<Point | null>(null)

/** The least recently used frame is dropped first. */
const maxPinnedFrames = 16

/** Keeps recently used frames mounted off screen, so that typed text and running responses survive. */
function usePinnedFrames() {
  const [pinnedIds, setPinnedIds] = useState<ReadonlySet<string>>(new Set())
  const pinFrame = useCallback((target: Element) => {
    const id = target.closest('[data-frame] > div')?.closest<HTMLElement>('.react-flow__node')?.dataset.id
    if (!id) return
    setPinnedIds((previous) => {
      const order = [...previous]
      return order.at(-1) === id
        ? previous
        : new Set([...order.filter((pinnedId) => pinnedId !== id), id].slice(-maxPinnedFrames))
    })
  }, [])
  return { pinnedIds, pinFrame }
}

const zoomLimits = { minZoom: 0.1, maxZoom: 4 }
const middleButton = [1]
const noEdges: never[] = []
const proOptions = { hideAttribution: true }
const minimapVisible = new ObservableValue(true)

interface BoardCanvasProps {
  readOnly?: boolean
  /** In a page that scrolls: the wheel and one finger move the page until the canvas is clicked. */
  embedded?: boolean
}

function CanvasSurface({ readOnly = false, embedded = false }: BoardCanvasProps) {
  const editor = useBoardEditor()
  const board = useBoard((state) => state.board)
  const frames = useBoard(({ document }) => document.frames)
  const selection = useBoard((state) => state.selection)
  const nameSize = useStore(({ transform }) => getNameSize(transform[2]))
  const canEdit = !readOnly && board.may !== 'view'
  const isLayoutLocked = useBoard(({ document }) => !document.config.allowLayoutEditing)
  const canArrange = canEdit && !isLayoutLocked
  const surface = useRef<HTMLDivElement>(null)
  const liveRegion = useRef<HTMLOutputElement>(null)
  const flow = useCanvasFlow()
  const [tool, setTool] = useState<CanvasTool>('select')
  const [dialog, setDialog] = useState<OpenDialog>()
  const hasMinimap = useObservable(minimapVisible)

  const openSettings = useCallback((id: string) => setDialog({ kind: 'settings', id }), [])
  const showNotAdded = useCallback((reason: string) => setDialog({ kind: 'not-added', reason }), [])
  const { actions, staggeredMount, guides, gridSnapping } = useCanvasParts({
    editor,
    flow,
    surface,
    liveRegion,
    onNotAdded: showNotAdded,
  })
  const frameContext = useFrameContext(canEdit ? 'edit' : 'view')
  const tools = useMemo<CanvasTools>(
    () => ({
      actions,
      frameContext,
      staggeredMount,
      canEdit,
      canArrange,
      guides,
      gridSnapping,
      changeContent: editor.changeContent,
      openSettings,
    }),
    [editor, actions, frameContext, staggeredMount, canEdit, canArrange, guides, gridSnapping, openSettings],
  )

  const { pinnedIds, pinFrame } = usePinnedFrames()
  const nodes = useMemo(() => toNodes(frames, { selection, pinnedIds }), [frames, selection, pinnedIds])
  const pressPoint = useRef<Point>({ x: 0, y: 0 })
  const dragHandlers = useDragFrames(tools, pressPoint)
  const marquee = useMarquee()
  const onNodesChange = useCallback<OnNodesChange<CanvasNode>>(
    (changes) => {
      const nextSelection = applySelectChanges(changes, editor.getSnapshot().selection)
      if (nextSelection) editor.select(marquee.combine(nextSelection))
    },
    [editor, marquee],
  )

  const pickTool = useCallback(
    (next: CanvasTool, input: 'key' | 'pointer') => {
      if (input === 'key' && next === 'text') return void actions.add('code_snippet', { name: 'Text' })
      if (input === 'key' && next === 'frame') return setDialog({ kind: 'pick' })
      setTool(next)
      surface.current?.focus({ preventScroll: true })
    },
    [actions],
  )
  const onDrawn = useCallback(
    (position: Point, box?: Box) => {
      setTool('select')
      const size = box && { width: box.width, height: box.height }
      if (tool === 'text') actions.add('code_snippet', { name: 'Text', position, size })
      else setDialog({ kind: 'pick', position, size })
    },
    [actions, tool],
  )

  const { focusFrame, enterFrame } = useFrameFocus(surface, actions)
  useCanvasKeys({ surface, actions, canEdit, canArrange, onToolChange: setTool, focusFrame, enterFrame })
  useCanvasClipboard({ surface, actions, canEdit })
  useCanvasScrolling(surface, embedded)
  useSharePointer()
  const dropStage = useDropStage({ surface, actions, canEdit, gridSnapping })
  const [openingViewport, setOpeningViewport] = useState<Viewport>()
  useLayoutEffect(() => {
    const { document, board } = editor.getSnapshot()
    if (surface.current) setOpeningViewport(getOpeningViewport(board.id, document.frames, surface.current))
  }, [editor])

  function trackPointer({ clientX, clientY }: PointerEvent) {
    canvasPointer.set(flow.screenToFlowPosition({ x: clientX, y: clientY }))
  }
  /** A touch that can scroll the page focuses the canvas only once it is a tap. */
  const canScrollPage = ({ nativeEvent }: MouseEvent) =>
    embedded && nativeEvent instanceof globalThis.PointerEvent && nativeEvent.pointerType === 'touch'
  function focusCanvas(target: EventTarget) {
    const isOnControl = target instanceof Element && target.closest('button, input, textarea, select, a, [data-frame]')
    if (!isOnControl) surface.current?.focus({ preventScroll: true })
  }
  function handlePointerDown(event: PointerEvent) {
    const { target, clientX, clientY } = event
    pressPoint.current = { x: clientX, y: clientY }
    // The draw layer receives the press, so the canvas wouldn't get focus otherwise.
    if (!canScrollPage(event)) focusCanvas(target)
    if (target instanceof Element) pinFrame(target)
  }
  const isHandTool = tool === 'hand'
  return (
    <CanvasContext value={tools}>
      <NameSizeContext value={nameSize}>
        <section
          ref={surface}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys on the canvas move through the frames
          tabIndex={0}
          aria-label="Board canvas"
          aria-describedby="canvas-keys"
          data-hand={isHandTool || undefined}
          data-embedded={embedded || undefined}
          onPointerDownCapture={handlePointerDown}
          onClickCapture={(event) => {
            if (canScrollPage(event)) focusCanvas(event.target)
          }}
          onFocusCapture={({ target }) => pinFrame(target)}
          onDropCapture={({ target }) => {
            if (target instanceof Element) pinFrame(target)
          }}
          onPointerMove={trackPointer}
          onPointerLeave={() => canvasPointer.set(null)}
          className="canvas-surface relative isolate size-full overflow-hidden focus-visible:outline-2 focus-visible:-outline-offset-2"
        >
          <p id="canvas-keys" className="sr-only">
            Tab moves through the frames. Enter goes into a frame and Escape leaves it. Arrow keys move the selection;
            with Alt they resize it. Alt+F10 moves to the selection’s toolbar.
          </p>
          <CanvasGrid />
          {openingViewport && (
            <ReactFlow
              nodes={nodes}
              edges={noEdges}
              nodeTypes={nodeTypes}
              onNodesChange={onNodesChange}
              {...dragHandlers}
              onSelectionStart={(event) => marquee.start(event.shiftKey, editor.getSnapshot().selection)}
              onSelectionEnd={marquee.end}
              onMoveStart={() => {
                staggeredMount.setMoving(true)
                surface.current?.setAttribute('data-moving', '')
              }}
              onMoveEnd={(_event, viewport) => {
                staggeredMount.setMoving(false)
                surface.current?.removeAttribute('data-moving')
                if (surface.current)
                  storeBoardView(board.id, toBoardView(viewport, surface.current.getBoundingClientRect()))
              }}
              defaultViewport={openingViewport}
              {...zoomLimits}
              onlyRenderVisibleElements
              nodesDraggable={canArrange && !isHandTool}
              nodesConnectable={false}
              elementsSelectable={!isHandTool}
              elevateNodesOnSelect={false}
              disableKeyboardA11y
              deleteKeyCode={null}
              selectionKeyCode={null}
              multiSelectionKeyCode="Shift"
              selectionOnDrag={!isHandTool}
              selectionMode={SelectionMode.Partial}
              panOnDrag={isHandTool || middleButton}
              panOnScroll
              panActivationKeyCode={embedded ? null : 'Space'}
              zoomOnDoubleClick={false}
              noWheelClassName="keeps-wheel"
              proOptions={proOptions}
            >
              <ViewportPortal>
                <GuideLines />
                <ParticipantCursors />
              </ViewportPortal>
            </ReactFlow>
          )}
          {isDrawingTool(tool) && <DrawLayer label={tool} onDrawn={onDrawn} />}
          {hasMinimap && <BoardMinimap />}
          {canEdit && <SelectionBar />}
          {canEdit && isLayoutLocked && <LayoutLockedNote />}
          <CanvasToolsBar tool={tool} onToolChange={pickTool} minimapVisible={minimapVisible} />
          <DropTarget dropStage={dropStage} />
          <output ref={liveRegion} aria-live="polite" data-canvas-live className="sr-only" />
          <CanvasDialogs dialog={dialog} onClose={() => setDialog(undefined)} />
        </section>
      </NameSizeContext>
    </CanvasContext>
  )
}

/** The last viewport of the board in this browser, or all frames at a zoom of at most 100%. */
function getOpeningViewport(
  boardId: string,
  frames: readonly Frame[],
  { clientWidth, clientHeight }: Element,
): Viewport {
  const size = { width: clientWidth, height: clientHeight }
  const view = readBoardView(boardId)
  if (view && showsAny(frames.map(getFrameBox), view, size)) return toViewport(view, size)
  const bounds = getBoundingBox(frames)
  if (!bounds) return { x: 60, y: 60, zoom: 1 }
  return getViewportForBounds(bounds, size.width, size.height, zoomLimits.minZoom, 1, fitPadding)
}

/** The selection after these changes; undefined if they don't affect it. */
function applySelectChanges(changes: NodeChange<CanvasNode>[], current: ReadonlySet<string>): Set<string> | undefined {
  const nextSelection = new Set(current)
  let hasChanges = false
  for (const change of changes) {
    if (change.type !== 'select') continue
    hasChanges = true
    if (change.selected) nextSelection.add(change.id)
    else nextSelection.delete(change.id)
  }
  return hasChanges ? nextSelection : undefined
}

/** A marquee with Shift adds to the selection. */
function useMarquee() {
  return useMemo(() => {
    let base: ReadonlySet<string> = new Set()
    return {
      start: (isAdditive: boolean, selection: ReadonlySet<string>) => {
        base = isAdditive ? selection : new Set()
      },
      end: () => {
        base = new Set()
      },
      combine: (nextSelection: ReadonlySet<string>) => new Set([...base, ...nextSelection]),
    }
  }, [])
}

function useSharePointer() {
  const session = useBoardSession()
  useEffect(() => {
    if (!session) return
    return canvasPointer.subscribe(() => session.setCursor(canvasPointer.getSnapshot()))
  }, [session])
}

function LayoutLockedNote() {
  const editor = useBoardEditor()
  return (
    <p
      data-fixed-note
      className="absolute top-3 left-3 z-10 flex items-center gap-1 rounded-md border border-border bg-popover py-px pr-px pl-3 text-small text-muted-foreground phone:top-7"
    >
      The layout is locked.
      <Button
        size="small"
        variant="plain"
        onClick={() => editor.edit('Allow layout editing', changeConfig({ allowLayoutEditing: true }))}
      >
        Allow layout editing
      </Button>
    </p>
  )
}

/** The open board. With `readOnly`, or without edit rights, frames stay interactive but can't be arranged. */
export function BoardCanvas(props: BoardCanvasProps) {
  return (
    <ReactFlowProvider>
      <CanvasSurface {...props} />
    </ReactFlowProvider>
  )
}
