import { type ComponentType, lazy } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import type { FrameType } from '#contract/boards/frame-types.ts'

/** The board that a frame stands on, as far as a frame needs it. */
export interface FrameSurroundings {
  boardId: string
  /** What the board is of, for frames without an entity of their own. */
  entityType: string | null
  entityId: string | null
  /** `edit`: the board can be changed here. `view`: live, nothing of the board changes. `sample`: nothing is asked for or changed anywhere. */
  mode: 'edit' | 'view' | 'sample'
  /** Of a board opened by its link, instead of a session. */
  linkToken?: string
}

export interface FrameBodyProps {
  frame: Frame
  surroundings: FrameSurroundings
  /** Changes what the frame holds (`data.content`), undoable; does nothing where the board cannot be changed. */
  changeContent: (changes: Record<string, unknown>, gesture?: string) => void
  /** Opens the settings of this frame, where there are any. */
  openSettings?: () => void
}

/** Throw it when the entity of a frame is gone or not the reader's; the frame says so and the board goes on. */
export class EntityUnavailable extends Error {
  override name = 'EntityUnavailable'
}

type Body = ComponentType<FrameBodyProps>
// biome-ignore lint/correctness/noUnusedVariables: the first body uses it
const body = (load: () => Promise<Body>): Body => lazy(async () => ({ default: await load() }))

/** What shows each type, loaded when the first frame of it is shown: `process_frame: body(() => import('./process-frame.tsx').then((m) => m.ProcessFrame))`. */
export const frameBodies: Partial<Record<FrameType, Body>> = {}
