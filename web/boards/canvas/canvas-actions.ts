import type { ReactFlowInstance } from '@xyflow/react'
import { type Frame, gridSpacing, mostFrames } from '#contract/boards/boards.ts'
import { accepts, type FrameType, frameTypes, whatItTakes } from '#contract/boards/frame-types.ts'
import {
  addFrames,
  type Box,
  boxAround,
  boxOf,
  changeContent,
  copyOf,
  duplicateFrames,
  makeFrame,
  type NewFrameOptions,
  type Point,
  removeFrames,
  reorderFrame,
  snapSize,
  withoutPicture,
} from '../document/board-document.ts'
import type { BoardEditor } from '../document/board-editor.ts'
import { bringPicture } from './bring-picture.ts'
import type { CanvasNode } from './canvas-nodes.ts'
import type { CopiedFrames } from './frames-on-clipboard.ts'
import { onGrid } from './guides.ts'
import {
  type Alignment,
  aligned,
  type Boxes,
  distributed,
  freeSpot,
  nudged,
  putFrames,
  spotWithin,
} from './place-frames.ts'

const most = mostFrames.toLocaleString('en-US')
const boardIsFull = `A board can have at most ${most} frames. Delete some first.`

export type ZoomStep = 'in' | 'out' | 'whole' | 'fit'

interface Surface {
  flow: ReactFlowInstance<CanvasNode>
  /** Screen rectangle of the canvas. */
  screen: () => DOMRect
  /** Announces politely to screen readers. */
  say: (text: string) => void
  refuse: (reason: string) => void
  notAdded: (reason: string) => void
  animates: () => boolean
}

/** Canvas operations shared by pointer, keyboard, toolbar and library. */
export class CanvasActions {
  readonly #editor: BoardEditor
  readonly #surface: Surface
  #pastes = 0

  constructor(editor: BoardEditor, surface: Surface) {
    this.#editor = editor
    this.#surface = surface
  }

  get boardId(): string {
    return this.#editor.id
  }
  get frames(): readonly Frame[] {
    return this.#editor.seen().document.frames
  }
  get selected(): Frame[] {
    const { selection } = this.#editor.seen()
    return this.frames.filter(({ id }) => selection.has(id))
  }
  frameOf(id: string): Frame | undefined {
    return this.frames.find((frame) => frame.id === id)
  }

  get zoom(): number {
    return this.#surface.flow.getZoom()
  }

  /** The visible area in canvas pixels. */
  view(): Box {
    const { x, y, zoom } = this.#surface.flow.getViewport()
    const { width, height } = this.#surface.screen()
    return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom }
  }

  /** A free spot in the visible area above the toolbar. */
  spotInView(size: { width: number; height: number }): Point | undefined {
    const view = this.view()
    const height = view.height - gridSpacing - toolsHeight / this.zoom
    return spotWithin(this.frames, size, {
      x: view.x + gridSpacing,
      y: view.y + gridSpacing,
      width: view.width - 2 * gridSpacing,
      height,
    })
  }

  /** Adds and selects a frame at its position, else at a free spot in view, else as close to it as possible. */
  add(frameType: FrameType, options: Partial<NewFrameOptions> = {}): Frame | undefined {
    const size = snapSize(options.size ?? frameTypes[frameType].size)
    const view = this.view()
    const middle = { x: view.x + view.width / 2, y: view.y + view.height / 2 }
    const position = options.position ?? this.spotInView(size) ?? freeSpot(this.frames, size, middle)
    const frame = makeFrame(frameType, { ...options, position, size })
    if (!this.#addToBoard([frame], `Add ${frame.data.name}`)) return undefined
    this.bringIn(frame)
    this.#surface.say(`${frame.data.name} added at ${placeOf(frame)}`)
    return frame
  }

  #addToBoard(frames: readonly Frame[], label: string, gesture?: string): boolean {
    if (this.frames.length + frames.length > mostFrames) {
      this.#surface.notAdded(boardIsFull)
      return false
    }
    const misfit = frames.find(({ data, FrameConfig }) => !accepts(FrameConfig.engagementMode, data.frameType))
    if (misfit) {
      const takes = whatItTakes(misfit.FrameConfig.engagementMode)
      this.#surface.notAdded(`“${misfit.data.name}” doesn’t match its pattern: ${takes}.`)
      return false
    }
    this.#editor.edit(label, addFrames(frames), gesture)
    this.#editor.select(frames.map(({ id }) => id))
    return true
  }

  /** Pastes copies in the same arrangement, offset from the originals or centered in the view. */
  paste({ boardId, frames }: CopiedFrames): void {
    const around = boxAround(frames)
    if (!around) return
    const view = this.view()
    const inSight =
      around.x < view.x + view.width &&
      view.x < around.x + around.width &&
      around.y < view.y + view.height &&
      view.y < around.y + around.height
    this.#pastes += 1
    const beside = gridSpacing * 2 * this.#pastes
    const shift = inSight
      ? { x: beside, y: beside }
      : {
          x: view.x + view.width / 2 - around.x - around.width / 2,
          y: view.y + view.height / 2 - around.y - around.height / 2,
        }
    const isElsewhere = boardId !== this.boardId
    const copies = frames.map((frame) => {
      const copy = copyOf(isElsewhere ? withoutPicture(frame) : frame, 0)
      const { x, y } = frame.data.position
      const position = { x: onGrid(x + shift.x), y: onGrid(y + shift.y) }
      return { ...copy, data: { ...copy.data, position } }
    })
    const paste = { label: `Paste ${countOf(copies)}`, gesture: `paste/${copies[0]?.id}` }
    if (!this.#addToBoard(copies, paste.label, paste.gesture)) return
    this.#surface.say(`${countOf(copies)} pasted`)
    if (isElsewhere) void this.#copyPictures({ boardId, frames }, copies, paste)
  }

  /** Pictures belong to one board, so pasting to another board copies them within the same undo step. */
  async #copyPictures(
    { boardId, frames }: CopiedFrames,
    copies: readonly Frame[],
    { label, gesture }: { label: string; gesture: string },
  ): Promise<void> {
    const without: Frame[] = []
    let why = ''
    for (const [at, copy] of copies.entries()) {
      const pictureId = frames[at]?.data.content.mediaId
      if (typeof pictureId !== 'string' || pictureId === '') continue
      try {
        const mediaId = await bringPicture(pictureId, boardId, this.boardId)
        if (!this.frameOf(copy.id)?.data.content.mediaId)
          this.#editor.edit(label, changeContent(copy.id, { mediaId }), gesture)
      } catch (reason) {
        without.push(copy)
        why = (reason as Error).message
      }
    }
    if (without.length === 0) return
    const pictureText = without.length > 1 ? 'their pictures' : 'its picture'
    this.#surface.refuse(
      `${countOf(without)} pasted without ${pictureText}. ${why} Choose ${without.length > 1 ? 'them' : 'it'} again here.`,
    )
  }
  copied(): void {
    this.#pastes = 0
    this.#surface.say(`${countOf(this.selected)} copied`)
  }

  duplicate(): void {
    const { selected } = this
    if (selected.length === 0) return
    if (this.frames.length + selected.length > mostFrames) {
      this.#surface.notAdded(boardIsFull)
      return
    }
    let made: string[] = []
    this.#editor.edit(
      `Duplicate ${countOf(selected)}`,
      duplicateFrames(new Set(selected.map(({ id }) => id)), (ids) => {
        made = ids
      }),
    )
    this.#editor.select(made)
    this.#surface.say(`${countOf(selected)} duplicated`)
  }

  remove(verb: 'deleted' | 'cut' = 'deleted'): void {
    const { selected } = this
    if (selected.length === 0) return
    const label = verb === 'cut' ? 'Cut' : 'Delete'
    this.#editor.edit(`${label} ${countOf(selected)}`, removeFrames(new Set(selected.map(({ id }) => id))))
    this.#surface.say(`${countOf(selected)} ${verb}. Ctrl+Z brings ${selected.length > 1 ? 'them' : 'it'} back.`)
  }

  /** Moves or resizes frames; one gesture is one undo step. Silent: the end of a gesture announces the result. */
  place(label: string, boxes: Boxes, gesture?: string): void {
    this.#editor.edit(label, putFrames(boxes), gesture)
  }
  endGesture(): void {
    this.#editor.endGesture()
  }

  align(alignment: Alignment): void {
    this.place(`Align ${countOf(this.selected)}`, aligned(this.selected, alignment))
    this.#surface.say(`${countOf(this.selected)} aligned: ${alignment}`)
  }

  distribute(axis: 'x' | 'y'): void {
    const { selected } = this
    if (selected.length < 3) return
    this.place(`Distribute ${countOf(selected)}`, distributed(selected, axis))
    this.#surface.say(`${countOf(selected)} distributed ${axis === 'x' ? 'horizontally' : 'vertically'}`)
  }

  nudge(steps: Point): void {
    const { selected } = this
    if (selected.length === 0) return
    this.place(`Move ${countOf(selected)}`, nudged(selected, steps), 'nudge')
    this.tellPlaces('moved')
  }

  /** Moves the right and bottom edges by grid steps. */
  grow(steps: Point): void {
    const { selected } = this
    if (selected.length === 0) return
    const boxes = selected.map((frame) => {
      const { width, height, ...place } = boxOf(frame)
      const size = snapSize({ width: width + steps.x * gridSpacing, height: height + steps.y * gridSpacing })
      return [frame.id, { ...place, ...size }] as const
    })
    this.place(`Resize ${countOf(selected)}`, new Map(boxes), 'grow')
    this.tellPlaces('resized')
  }

  tellPlaces(verb: 'moved' | 'resized'): void {
    const [first, ...more] = this.selected
    if (!first) return
    const { width, height } = first.data.size
    const where = verb === 'moved' ? placeOf(first) : `${width} by ${height}`
    const what =
      more.length > 0 ? `${more.length + 1} frames ${verb}, ${first.data.name}` : `${first.data.name} ${verb}`
    this.#surface.say(`${what} to ${where}`)
  }

  /** Later in reading order means in front. */
  toFront(): void {
    this.#reorder('Bring to front', 'in front', this.selected, this.frames.length)
  }
  toBack(): void {
    this.#reorder('Send to back', 'at the back', this.selected.toReversed(), 0)
  }
  #reorder(label: string, where: string, frames: readonly Frame[], to: number): void {
    if (frames.length === 0) return
    this.#editor.edit(label, (document) => frames.reduce((changed, { id }) => reorderFrame(id, to)(changed), document))
    this.#surface.say(`${countOf(frames)} ${where}`)
  }

  tellFixed(): void {
    this.#surface.say('The layout is locked, so frames can’t be moved.')
  }

  selectAll(): void {
    this.#editor.select(this.frames.map(({ id }) => id))
    this.#surface.say(`${countOf(this.frames)} selected`)
  }
  tellSelected(): void {
    const { selected } = this
    this.#surface.say(selected.length === 0 ? 'Nothing selected' : `${countOf(selected)} selected`)
  }
  select(ids: Iterable<string>): void {
    this.#editor.select(ids)
  }

  undo(): void {
    const { undoLabel } = this.#editor.seen()
    if (!undoLabel) return
    this.#editor.undo()
    this.#surface.say(`Undone: ${undoLabel}`)
  }
  redo(): void {
    const { redoLabel } = this.#editor.seen()
    if (!redoLabel) return
    this.#editor.redo()
    this.#surface.say(`Redone: ${redoLabel}`)
  }

  zoomBy(step: ZoomStep): void {
    const { flow, animates } = this.#surface
    const duration = animates() ? 200 : 0
    if (step === 'in') void flow.zoomIn({ duration })
    else if (step === 'out') void flow.zoomOut({ duration })
    else if (step === 'whole') void flow.zoomTo(1, { duration })
    else void flow.fitView({ duration, padding: 0.12, maxZoom: 1 })
  }

  /** Moves the view by screen pixels. */
  pan(by: Point): void {
    const { flow } = this.#surface
    const { x, y, zoom } = flow.getViewport()
    void flow.setViewport({ x: x - by.x, y: y - by.y, zoom })
  }

  #isInView(box: Box): boolean {
    const view = this.view()
    return (
      box.x >= view.x &&
      box.y >= view.y &&
      box.x + box.width <= view.x + view.width &&
      box.y + box.height <= view.y + view.height
    )
  }

  /** Scrolls just enough to show the frame, or its top left if it is larger than the view. */
  bringIn(frame: Frame): void {
    const box = boxOf(frame)
    if (this.#isInView(box)) return
    const { zoom } = this
    const view = this.view()
    const x = least(box.x - gridSpacing - view.x, box.x + box.width + gridSpacing - view.x - view.width)
    const below = toolsHeight / zoom
    const y = least(box.y - gridSpacing - view.y, box.y + box.height + below - view.y - view.height)
    this.pan({ x: x * zoom, y: y * zoom })
  }

  /** Centers the frame unless it is already visible. */
  reveal(frame: Frame): void {
    const box = boxOf(frame)
    if (this.#isInView(box)) return
    const { flow } = this.#surface
    void flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom: flow.getZoom() })
  }
}

/** Screen pixels. */
const toolsHeight = 68

/** Smallest scroll distance that reveals an interval, given the distances of its start and end. */
const least = (begin: number, end: number) => (begin < 0 ? begin : Math.max(0, Math.min(begin, end)))

/** For example `Cover` or `3 frames`. */
function countOf(frames: readonly Frame[]): string {
  const [only, ...more] = frames
  return only && more.length === 0 ? only.data.name : `${frames.length} frames`
}

function placeOf({ data: { position } }: Frame): string {
  return `${position.x}, ${position.y}`
}
