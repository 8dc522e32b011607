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
const boardIsFull = `A board holds at most ${most} frames. Delete some first.`

export type ZoomStep = 'in' | 'out' | 'whole' | 'fit'

interface Surface {
  flow: ReactFlowInstance<CanvasNode>
  /** The box of the canvas on the screen. */
  screen: () => DOMRect
  /** Tells who listens, politely. */
  say: (text: string) => void
  /** Tells why something was not done. */
  refuse: (reason: string) => void
  /** Tells why a frame did not come onto the board. */
  notAdded: (reason: string) => void
  animates: () => boolean
}

/** What can be done on the canvas, by whichever way it was asked for: pointer, key, bar or library. */
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

  /** What the window shows, in pixels of the canvas. */
  view(): Box {
    const { x, y, zoom } = this.#surface.flow.getViewport()
    const { width, height } = this.#surface.screen()
    return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom }
  }

  /** Where in the view, clear of the tools at its bottom, a frame of this size covers nothing. */
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

  /** A new frame, selected: at its place, else where one looks and nothing is covered, else as near to it as can be. */
  add(frameType: FrameType, options: Partial<NewFrameOptions> = {}): Frame | undefined {
    const size = snapSize(options.size ?? frameTypes[frameType].size)
    const view = this.view()
    const middle = { x: view.x + view.width / 2, y: view.y + view.height / 2 }
    const position = options.position ?? this.spotInView(size) ?? freeSpot(this.frames, size, middle)
    const frame = makeFrame(frameType, { ...options, position, size })
    if (!this.#put([frame], `Add ${frame.data.name}`)) return undefined
    this.bringIn(frame)
    this.#surface.say(`${frame.data.name} added at ${placeOf(frame)}`)
    return frame
  }

  #put(frames: readonly Frame[], label: string, gesture?: string): boolean {
    if (this.frames.length + frames.length > mostFrames) {
      this.#surface.notAdded(boardIsFull)
      return false
    }
    const misfit = frames.find(({ data, FrameConfig }) => !accepts(FrameConfig.engagementMode, data.frameType))
    if (misfit) {
      const takes = whatItTakes(misfit.FrameConfig.engagementMode)
      this.#surface.notAdded(`“${misfit.data.name}” does not fit its pattern: ${takes}.`)
      return false
    }
    this.#editor.edit(label, addFrames(frames), gesture)
    this.#editor.select(frames.map(({ id }) => id))
    return true
  }

  /** Copies with the same places between them, beside the first paste or in the middle of the view. */
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
    if (!this.#put(copies, paste.label, paste.gesture)) return
    this.#surface.say(`${countOf(copies)} pasted`)
    if (isElsewhere) void this.#bringPictures({ boardId, frames }, copies, paste)
  }

  /** A picture is of one board: another board gets one of its own, in the step that pasted the frame. */
  async #bringPictures(
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
    const what = without.length > 1 ? 'their pictures' : 'its picture'
    this.#surface.refuse(
      `${countOf(without)} came without ${what}. ${why} Choose ${without.length > 1 ? 'them' : 'it'} here once more.`,
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

  /** New boxes; those of one gesture are undone together. Says nothing: a gesture tells its end. */
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

  /** The right and lower edge by steps of the grid. */
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

  /** Later in the reading order is in front. */
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
    this.#surface.say('The layout is fixed: frames stay where they are.')
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
    this.#surface.say(`Done again: ${redoLabel}`)
  }

  zoomBy(step: ZoomStep): void {
    const { flow, animates } = this.#surface
    const duration = animates() ? 200 : 0
    if (step === 'in') void flow.zoomIn({ duration })
    else if (step === 'out') void flow.zoomOut({ duration })
    else if (step === 'whole') void flow.zoomTo(1, { duration })
    else void flow.fitView({ duration, padding: 0.12, maxZoom: 1 })
  }

  /** Moves the view by pixels of the screen. */
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

  /** Moves the view as little as it takes to see the frame; of one that is larger, its beginning. */
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

  /** Moves the view so that the frame is in its middle, when it is not in it. */
  reveal(frame: Frame): void {
    const box = boxOf(frame)
    if (this.#isInView(box)) return
    const { flow } = this.#surface
    void flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom: flow.getZoom() })
  }
}

/** Pixels of the screen. */
const toolsHeight = 68

/** How far a view goes to show what begins and ends so far from its own beginning and end. */
const least = (begin: number, end: number) => (begin < 0 ? begin : Math.max(0, Math.min(begin, end)))

/** "Cover", or "3 frames". */
function countOf(frames: readonly Frame[]): string {
  const [only, ...more] = frames
  return only && more.length === 0 ? only.data.name : `${frames.length} frames`
}

function placeOf({ data: { position } }: Frame): string {
  return `${position.x}, ${position.y}`
}
