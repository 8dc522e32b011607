import type { ReactFlowInstance } from '@xyflow/react'
import { type Frame, gridSpacing, maxFrames } from '#contract/boards/boards.ts'
import { acceptsFrame, describePatternMismatch, type FrameType, frameTypes } from '#contract/boards/frame-types.ts'
import { overlaps } from '#contract/boards/free-positions.ts'
import {
  addFrames,
  type Box,
  buildFrame,
  changeContent,
  containsBox,
  copyFrame,
  duplicateFrames,
  getBoundingBox,
  getFrameBox,
  type NewFrameOptions,
  type Point,
  removeFrames,
  reorderFrame,
  setFrameBoxes,
  snapSize,
  withoutPicture,
} from '../document/board-document.ts'
import type { BoardEditor } from '../document/board-editor.ts'
import { type CopiedFrames, copyPicture } from './canvas-clipboard.ts'
import { toolsHeight } from './canvas-context.ts'
import { roundToGrid } from './guides.tsx'
import {
  type Alignment,
  alignFrames,
  type Boxes,
  distributeFrames,
  findFreeSpot,
  findSpotWithin,
  nudgeFrames,
} from './place-frames.ts'
import type { CanvasNode } from './use-canvas-flow.ts'

const maxFramesText = maxFrames.toLocaleString('en-US')
const boardFullText = `A board can have at most ${maxFramesText} frames. Delete some first.`

const zoomAnimationMs = 200
export type ZoomStep = 'in' | 'out' | 'full-size' | 'fit'

interface CanvasSurfacePort {
  flow: ReactFlowInstance<CanvasNode>
  /** Screen rectangle of the canvas. */
  getScreenBox: () => DOMRect
  /** Announces politely to screen readers. */
  announce: (text: string) => void
  showProblem: (reason: string) => void
  onNotAdded: (reason: string) => void
  shouldAnimate: () => boolean
}

export class CanvasActions {
  readonly #editor: BoardEditor
  readonly #surface: CanvasSurfacePort
  #pasteCount = 0
  /** Puts the frames that a pointer moves or resizes back; undefined while there are none. */
  cancelGesture: (() => void) | undefined

  constructor(editor: BoardEditor, surface: CanvasSurfacePort) {
    this.#editor = editor
    this.#surface = surface
  }

  get boardId(): string {
    return this.#editor.id
  }
  get frames(): readonly Frame[] {
    return this.#editor.getSnapshot().document.frames
  }
  get selectedFrames(): Frame[] {
    const { selection } = this.#editor.getSnapshot()
    return this.frames.filter(({ id }) => selection.has(id))
  }
  findFrame(id: string): Frame | undefined {
    return this.frames.find((frame) => frame.id === id)
  }

  get zoom(): number {
    return this.#surface.flow.getZoom()
  }

  /** The visible area in canvas pixels. */
  getView(): Box {
    const { x, y, zoom } = this.#surface.flow.getViewport()
    const { width, height } = this.#surface.getScreenBox()
    return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom }
  }

  findSpotInView(size: { width: number; height: number }): Point | undefined {
    const { x, y, width, height } = this.getView()
    return findSpotWithin(this.frames, size, {
      x: x + gridSpacing,
      y: y + gridSpacing,
      width: width - 2 * gridSpacing,
      height: height - gridSpacing - toolsHeight / this.zoom,
    })
  }

  /** Adds and selects a frame at its position, else at a free spot in view, else as close to it as possible. */
  add(frameType: FrameType, options: Partial<NewFrameOptions> = {}): Frame | undefined {
    const size = snapSize(options.size ?? frameTypes[frameType].size)
    const view = this.getView()
    const center = { x: view.x + view.width / 2, y: view.y + view.height / 2 }
    const position = options.position ?? this.findSpotInView(size) ?? findFreeSpot(this.frames, size, center)
    const frame = buildFrame(frameType, { ...options, position, size })
    if (!this.#addToBoard([frame], `Add ${frame.data.name}`)) return undefined
    this.scrollIntoView(frame)
    this.#surface.announce(`${frame.data.name} added at ${formatFramePosition(frame)}`)
    return frame
  }

  #addToBoard(frames: readonly Frame[], label: string, gesture?: string): boolean {
    if (this.frames.length + frames.length > maxFrames) {
      this.#surface.onNotAdded(boardFullText)
      return false
    }
    const mismatchedFrame = frames.find(
      ({ data, FrameConfig }) => !acceptsFrame(FrameConfig.engagementMode, data.frameType),
    )
    if (mismatchedFrame) {
      const { data, FrameConfig } = mismatchedFrame
      const mismatch = describePatternMismatch(FrameConfig.engagementMode, data.frameType)
      this.#surface.onNotAdded(`“${data.name}” wasn’t added. ${mismatch}`)
      return false
    }
    this.#editor.edit(label, addFrames(frames), gesture)
    this.#editor.select(frames.map(({ id }) => id))
    return true
  }

  /** Pastes copies in the same arrangement, offset from the originals or centered in the view. */
  paste({ boardId, frames }: CopiedFrames): void {
    const bounds = getBoundingBox(frames)
    if (!bounds) return
    const view = this.getView()
    this.#pasteCount += 1
    const offset = gridSpacing * 2 * this.#pasteCount
    const shift = overlaps(bounds, view)
      ? { x: offset, y: offset }
      : {
          x: view.x + view.width / 2 - bounds.x - bounds.width / 2,
          y: view.y + view.height / 2 - bounds.y - bounds.height / 2,
        }
    const isOtherBoard = boardId !== this.boardId
    const copies = frames.map((frame) => {
      const copy = copyFrame(isOtherBoard ? withoutPicture(frame) : frame, 0)
      const { x, y } = frame.data.position
      const position = { x: roundToGrid(x + shift.x), y: roundToGrid(y + shift.y) }
      return { ...copy, data: { ...copy.data, position } }
    })
    const pasteStep = { label: `Paste ${formatFrames(copies)}`, gesture: `paste/${copies[0]?.id}` }
    if (!this.#addToBoard(copies, pasteStep.label, pasteStep.gesture)) return
    this.#surface.announce(`${formatFrames(copies)} pasted`)
    if (isOtherBoard) void this.#copyPictures({ boardId, frames }, copies, pasteStep)
  }

  /** Pictures belong to one board, so pasting to another board copies them within the same undo step. */
  async #copyPictures(
    { boardId, frames }: CopiedFrames,
    copies: readonly Frame[],
    { label, gesture }: { label: string; gesture: string },
  ): Promise<void> {
    const framesWithoutPicture: Frame[] = []
    let failureMessage = ''
    for (const [index, copy] of copies.entries()) {
      const pictureId = frames[index]?.data.content.mediaId
      if (typeof pictureId !== 'string' || pictureId === '') continue
      try {
        const mediaId = await copyPicture(pictureId, boardId, this.boardId)
        if (!this.findFrame(copy.id)?.data.content.mediaId)
          this.#editor.edit(label, changeContent(copy.id, { mediaId }), gesture)
      } catch (reason) {
        framesWithoutPicture.push(copy)
        failureMessage = (reason as Error).message
      }
    }
    if (framesWithoutPicture.length === 0) return
    const [pictureText, pronoun] = framesWithoutPicture.length > 1 ? ['their pictures', 'them'] : ['its picture', 'it']
    this.#surface.showProblem(
      `${formatFrames(framesWithoutPicture)} pasted without ${pictureText}. ${failureMessage} Choose ${pronoun} again here.`,
    )
  }
  announceCopied(): void {
    this.#pasteCount = 0
    this.#surface.announce(`${formatFrames(this.selectedFrames)} copied`)
  }

  duplicate(): void {
    const { selectedFrames } = this
    if (selectedFrames.length === 0) return
    if (this.frames.length + selectedFrames.length > maxFrames) {
      this.#surface.onNotAdded(boardFullText)
      return
    }
    let copyIds: string[] = []
    this.#editor.edit(
      `Duplicate ${formatFrames(selectedFrames)}`,
      duplicateFrames(new Set(selectedFrames.map(({ id }) => id)), (ids) => {
        copyIds = ids
      }),
    )
    this.#editor.select(copyIds)
    this.#surface.announce(`${formatFrames(selectedFrames)} duplicated`)
  }

  remove(verb: 'deleted' | 'cut' = 'deleted'): void {
    const { selectedFrames } = this
    if (selectedFrames.length === 0) return
    const label = verb === 'cut' ? 'Cut' : 'Delete'
    this.#editor.edit(
      `${label} ${formatFrames(selectedFrames)}`,
      removeFrames(new Set(selectedFrames.map(({ id }) => id))),
    )
    this.#surface.announce(
      `${formatFrames(selectedFrames)} ${verb}. Ctrl+Z brings ${selectedFrames.length > 1 ? 'them' : 'it'} back.`,
    )
  }

  /** Moves or resizes frames; one gesture is one undo step. Silent: the end of a gesture announces the result. */
  setBoxes(label: string, boxes: Boxes, gesture?: string): void {
    this.#editor.edit(label, setFrameBoxes(boxes), gesture)
  }
  endGesture(): void {
    this.#editor.endGesture()
  }

  align(alignment: Alignment): void {
    this.setBoxes(`Align ${formatFrames(this.selectedFrames)}`, alignFrames(this.selectedFrames, alignment))
    this.#surface.announce(`${formatFrames(this.selectedFrames)} aligned: ${alignment}`)
  }

  distribute(axis: 'x' | 'y'): void {
    const { selectedFrames } = this
    if (selectedFrames.length < 3) return
    this.setBoxes(`Distribute ${formatFrames(selectedFrames)}`, distributeFrames(selectedFrames, axis))
    this.#surface.announce(
      `${formatFrames(selectedFrames)} distributed ${axis === 'x' ? 'horizontally' : 'vertically'}`,
    )
  }

  nudge(steps: Point): void {
    const { selectedFrames } = this
    if (selectedFrames.length === 0) return
    this.setBoxes(`Move ${formatFrames(selectedFrames)}`, nudgeFrames(selectedFrames, steps), 'nudge')
    this.announcePositions('moved')
  }

  /** Moves the right and bottom edges by grid steps. */
  grow(steps: Point): void {
    const { selectedFrames } = this
    if (selectedFrames.length === 0) return
    const boxes = selectedFrames.map((frame) => {
      const { width, height, ...position } = getFrameBox(frame)
      const size = snapSize({ width: width + steps.x * gridSpacing, height: height + steps.y * gridSpacing })
      return [frame.id, { ...position, ...size }] as const
    })
    this.setBoxes(`Resize ${formatFrames(selectedFrames)}`, new Map(boxes), 'grow')
    this.announcePositions('resized')
  }

  announcePositions(verb: 'moved' | 'resized'): void {
    const [first, ...otherFrames] = this.selectedFrames
    if (!first) return
    const { width, height } = first.data.size
    const destination = verb === 'moved' ? formatFramePosition(first) : `${width} by ${height}`
    const subject =
      otherFrames.length > 0
        ? `${otherFrames.length + 1} frames ${verb}, ${first.data.name}`
        : `${first.data.name} ${verb}`
    this.#surface.announce(`${subject} to ${destination}`)
  }

  /** Later in reading order means in front. */
  bringToFront(): void {
    this.#reorder('Bring to front', 'in front', this.selectedFrames, this.frames.length)
  }
  sendToBack(): void {
    this.#reorder('Send to back', 'at the back', this.selectedFrames.toReversed(), 0)
  }
  #reorder(label: string, positionText: string, frames: readonly Frame[], targetIndex: number): void {
    if (frames.length === 0) return
    this.#editor.edit(label, (document) =>
      frames.reduce((reordered, { id }) => reorderFrame(id, targetIndex)(reordered), document),
    )
    this.#surface.announce(`${formatFrames(frames)} ${positionText}`)
  }

  announceLocked(): void {
    this.#surface.announce('The layout is locked, so frames can’t be moved.')
  }

  selectAll(): void {
    this.#editor.select(this.frames.map(({ id }) => id))
    this.#surface.announce(`${formatFrames(this.frames)} selected`)
  }
  announceSelection(): void {
    const { selectedFrames } = this
    this.#surface.announce(
      selectedFrames.length === 0 ? 'Nothing selected' : `${formatFrames(selectedFrames)} selected`,
    )
  }
  select(ids: Iterable<string>): void {
    this.#editor.select(ids)
  }

  undo(): void {
    const { undoLabel } = this.#editor.getSnapshot()
    if (!undoLabel) return
    this.#editor.undo()
    this.#surface.announce(`Undone: ${undoLabel}`)
  }
  redo(): void {
    const { redoLabel } = this.#editor.getSnapshot()
    if (!redoLabel) return
    this.#editor.redo()
    this.#surface.announce(`Redone: ${redoLabel}`)
  }

  zoomBy(step: ZoomStep): void {
    const { flow, shouldAnimate } = this.#surface
    const duration = shouldAnimate() ? zoomAnimationMs : 0
    if (step === 'in') void flow.zoomIn({ duration })
    else if (step === 'out') void flow.zoomOut({ duration })
    else if (step === 'full-size') void flow.zoomTo(1, { duration })
    else void flow.fitView({ duration, padding: fitPadding, maxZoom: 1 })
  }

  /** Moves the view by screen pixels. */
  pan(distance: Point): void {
    const { flow } = this.#surface
    const { x, y, zoom } = flow.getViewport()
    void flow.setViewport({ x: x - distance.x, y: y - distance.y, zoom })
  }

  /** Scrolls just enough to show the frame, or its top left if it is larger than the view. */
  scrollIntoView(frame: Frame): void {
    const box = getFrameBox(frame)
    if (containsBox(this.getView(), box)) return
    const { zoom } = this
    const view = this.getView()
    const x = getMinimalScroll(box.x - gridSpacing - view.x, box.x + box.width + gridSpacing - view.x - view.width)
    const below = toolsHeight / zoom
    const y = getMinimalScroll(box.y - gridSpacing - view.y, box.y + box.height + below - view.y - view.height)
    this.pan({ x: x * zoom, y: y * zoom })
  }

  /** Centers the frame unless it is already visible. */
  reveal(frame: Frame): void {
    const box = getFrameBox(frame)
    if (containsBox(this.getView(), box)) return
    const { flow } = this.#surface
    void flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom: flow.getZoom() })
  }
}

/** Padding around all frames in a fitted view; the bottom leaves space for the tools. */
export const fitPadding = { x: '32px', top: '32px', bottom: '84px' } as const

/** Smallest scroll distance that reveals an interval, given the distances of its start and end. */
const getMinimalScroll = (startDistance: number, endDistance: number) =>
  startDistance < 0 ? startDistance : Math.max(0, Math.min(startDistance, endDistance))

/** For example `Cover` or `3 frames`. */
function formatFrames(frames: readonly Frame[]): string {
  const [onlyFrame, ...more] = frames
  return onlyFrame && more.length === 0 ? onlyFrame.data.name : `${frames.length} frames`
}

function formatFramePosition({ data: { position } }: Frame): string {
  return `${position.x}, ${position.y}`
}
