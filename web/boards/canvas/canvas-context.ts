import { createContext, use, useEffect, useState, useSyncExternalStore } from 'react'
import type { FrameContext } from '../frames/frame-bodies.ts'
import type { CanvasActions } from './canvas-actions.ts'
import type { Guide } from './guides.tsx'

/** Screen pixels that the tools cover at the bottom. */
export const toolsHeight = 68

/** An observable value for components far apart, without rerendering those in between. */
export class ObservableValue<Value> {
  readonly #listeners = new Set<() => void>()
  #value: Value

  constructor(value: Value) {
    this.#value = value
  }
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly getSnapshot = (): Value => this.#value

  set(value: Value): void {
    if (value === this.#value) return
    this.#value = value
    for (const listener of [...this.#listeners]) listener()
  }
}

export function useObservable<Value>({ subscribe, getSnapshot }: ObservableValue<Value>): Value {
  return useSyncExternalStore(subscribe, getSnapshot, getSnapshot)
}

/** Bodies mounted per animation frame. */
const mountBatchSize = 3

/** Mounts frame bodies in small batches, and none while the canvas moves, so that panning stays smooth. */
export class StaggeredMount {
  readonly #queue = new Set<() => void>()
  #isMoving = false
  #frameRequest = 0

  /** Queues `mount`; returns a function that removes it from the queue. */
  enqueue(mount: () => void): () => void {
    this.#queue.add(mount)
    this.#mountNextBatch()
    return () => this.#queue.delete(mount)
  }

  setMoving(isMoving: boolean): void {
    this.#isMoving = isMoving
    if (!isMoving) this.#mountNextBatch()
  }

  #mountNextBatch(): void {
    if (this.#frameRequest !== 0 || this.#isMoving || this.#queue.size === 0) return
    this.#frameRequest = requestAnimationFrame(() => {
      this.#frameRequest = 0
      if (this.#isMoving) return
      for (const mount of [...this.#queue].slice(0, mountBatchSize)) {
        this.#queue.delete(mount)
        mount()
      }
      this.#mountNextBatch()
    })
  }
}

/** Whether a frame body should be mounted. It stays mounted while visible, and longer with `isPinned`. */
export function useStaggeredMount(staggeredMount: StaggeredMount, isVisible: boolean, isPinned: boolean): boolean {
  const [isMounted, setMounted] = useState(false)
  useEffect(() => {
    if (!isVisible || isMounted) return
    return staggeredMount.enqueue(() => setMounted(true))
  }, [staggeredMount, isVisible, isMounted])
  return isMounted && (isVisible || isPinned)
}

export interface CanvasTools {
  actions: CanvasActions
  frameContext: FrameContext
  staggeredMount: StaggeredMount
  canEdit: boolean
  /** Whether frames can be moved, resized and reordered, as the board's layout setting allows. */
  canArrange: boolean
  /** Alignment guides during a move. */
  guides: ObservableValue<readonly Guide[]>
  /** Whether snapping is on; Ctrl inverts it. */
  gridSnapping: ObservableValue<boolean>
  changeContent: (id: string, changes: Record<string, unknown>, gesture?: string) => void
  openSettings: (id: string) => void
}

/** Ctrl or Cmd inverts snapping. */
export const isSnapping = (
  gridSnapping: ObservableValue<boolean>,
  { ctrlKey, metaKey }: Pick<MouseEvent, 'ctrlKey' | 'metaKey'>,
): boolean => gridSnapping.getSnapshot() !== (ctrlKey || metaKey)

export const CanvasContext = createContext<CanvasTools | null>(null)
export const zoomedOutThreshold = 0.4
/** Font size of names in canvas pixels while frames show only their name; undefined when zoomed in. */
export const NameSizeContext = createContext<number | undefined>(undefined)

/** Returns one of two sizes, so that zooming rarely rerenders. */
export function getNameSize(zoom: number): number | undefined {
  if (zoom >= zoomedOutThreshold) return undefined
  return zoom >= 0.25 ? 44 : 64
}

/** Border and padding of a frame that shows only its name, in canvas pixels. */
const nameMargin = 38
/** Width of a wide letter as a share of the font size. */
const letterWidth = 0.56
const minNameSize = 24

/** A font size at which the longest word of the name fits the frame. */
export function fitNameSize(nameSize: number, name: string, frameWidth: number): number {
  const maxWordLength = Math.max(1, ...name.split(/[\s-]+/).map(({ length }) => length))
  const maxSize = Math.floor((frameWidth - nameMargin) / (letterWidth * maxWordLength))
  return Math.min(nameSize, Math.max(minNameSize, maxSize))
}

export function useCanvas(): CanvasTools {
  const tools = use(CanvasContext)
  if (!tools) throw new Error('useCanvas must be used within a CanvasContext')
  return tools
}
