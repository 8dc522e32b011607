import type * as z from 'zod/mini'
import type { Board, BoardConfig, boards, frameToSave, newFrame } from '#contract/boards/boards.ts'
import { createEmptyContent, entityContent, frameContent, isFrameWithContent } from '#contract/boards/frame-content.ts'
import { acceptsFrame, describePatternMismatch, frameTypes, isFrameType } from '#contract/boards/frame-types.ts'
import { findFreePositions } from '#contract/boards/free-positions.ts'
import type { Person } from '#server/accounts/person.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import {
  type AccessibleBoard,
  type BoardRow,
  listReaderIds,
  publishBoardsChanged,
  publishToReaders,
  requireBoardRight,
} from './board-access.ts'
import { type FrameRow, listFrames, type PlainFrame, readBoardContext, toBoard, toConfig } from './board-view.ts'
import { untitledBoardName } from './create-board.ts'
import { buildChange, buildChangeWrites, type StoredVersion, toBoardState } from './write-board.ts'

type FrameToSave = z.output<typeof frameToSave>
type CompleteFrame = z.output<typeof newFrame>

const defaultSize = { width: 300, height: 200 }

/** Fills gaps from the stored frame or the type's defaults. @throws Problem 400 naming a frame without a free position */
function completeFrames(sentFrames: readonly FrameToSave[], previousFrames: readonly FrameRow[]): CompleteFrame[] {
  const previousById = new Map(previousFrames.map((row) => [row.id, row.data]))
  const completed = sentFrames.map(({ data, ...frame }) => {
    const { frameType } = data
    const previous = previousById.get(frame.id)
    const size = data.size ?? previous?.size ?? (isFrameType(frameType) ? frameTypes[frameType].size : defaultSize)
    const previousContent = previous?.frameType === frameType ? previous.content : undefined
    const content = data.content ?? previousContent ?? createEmptyContent(frameType)
    return { ...frame, data: { ...data, position: data.position ?? previous?.position, size: { ...size }, content } }
  })
  const positions = findFreePositions(
    completed.flatMap(({ data: { position, size } }) => (position ? [{ ...position, ...size }] : [])),
    completed.flatMap(({ data: { position, size } }) => (position ? [] : [size])),
  )
  return completed.map(({ data, ...frame }, index) => {
    const position = data.position ?? positions.shift()
    if (!position)
      throw badField(`frames.${index}.data.position`, `There’s no free space for “${data.name}”. Give it a position.`)
    return { ...frame, data: { ...data, position } }
  })
}

type SaveBoardBody = z.output<typeof boards.save.body & {}>

type BoardStateBuilder = (
  board: BoardRow,
  frames: readonly FrameRow[],
) => { config: BoardConfig; frames?: PlainFrame[] }

const maxAttempts = 8

/** @throws Problem 400 naming invalid fields; `stale` with both whole boards as `{yours, current}` */
export function saveBoard(
  services: Services,
  person: Person,
  id: string,
  input: SaveBoardBody,
  ifMatch: number | null,
): Promise<Board> {
  return changeBoard(services, person, id, ifMatch, (board, frames) => ({
    config: mergeConfig(board, input),
    ...(input.frames && { frames: checkFrames(completeFrames(input.frames, frames), frames) }),
  }))
}

/** Older clients send the board back with a changed config, so the config overrides top-level fields. */
function mergeConfig(board: BoardRow, input: SaveBoardBody): BoardConfig {
  const previousConfig = toConfig(board)
  const { name, description, engagementMode } = input
  const topLevelFields = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(engagementMode !== undefined && { engagementMode }),
  }
  const config = { ...previousConfig, ...topLevelFields, ...input.config }
  return { ...config, name: config.name || untitledBoardName }
}

/** The only way to change a board. Without `ifMatch` the last write wins, and a version keeps the other one. */
export async function changeBoard(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
  ifMatch: number | null,
  buildState: BoardStateBuilder,
  versionToCompact?: StoredVersion,
): Promise<Board> {
  for (let attempt = 1; ; attempt++) {
    const accessible = await requireBoardRight(services, person, id, 'edit')
    const previousFrames = await listFrames(services, id)
    const change = buildChange(
      services,
      person,
      accessible,
      previousFrames,
      buildState(accessible.board, previousFrames),
    )
    const context = await readBoardContext(services, accessible)
    const { board, frames } = change.next
    if (ifMatch !== null && ifMatch !== accessible.board.rev) {
      const sentBoard = toBoard({ ...board, rev: ifMatch }, frames, context, person)
      throw new Problem('stale', {
        data: { yours: sentBoard, current: toBoard(accessible.board, previousFrames, context, person) },
      })
    }
    if (!change.hasChanged) return toBoard(board, frames, context, person)
    await services.usage.requireSpaceToGrow(
      board.owner_id,
      toBoardState(accessible.board, previousFrames),
      toBoardState(board, frames),
    )
    try {
      await services.db.batch(buildChangeWrites(services, person, change, versionToCompact))
    } catch (error) {
      if (!(error instanceof UnexpectedChanges)) throw error
      if (attempt < maxAttempts) continue
      throw new Problem('conflict', {
        message: 'Someone else is saving this board right now. Try again.',
        cause: error,
      })
    }
    await publishSaved(services, person, accessible, board)
    return toBoard(board, frames, context, person)
  }
}

async function publishSaved(
  services: Services,
  { id: personId }: Pick<Person, 'id'>,
  accessible: AccessibleBoard,
  savedBoard: BoardRow,
) {
  const { id: boardId, rev } = savedBoard
  const readerIds = await listReaderIds(services, savedBoard)
  publishToReaders(services, readerIds, { type: 'board-saved', boardId, rev, personId, tab: null })
  if (accessible.board.name !== savedBoard.name) await publishBoardsChanged(services, savedBoard)
}

const maxContentLength = 50_000

/**
 * Known types lose unknown fields, unknown types keep theirs.
 * @throws Problem 400 with fields like `frames.3.data.slug`
 */
export function checkFrames(sentFrames: readonly CompleteFrame[], previousFrames: readonly FrameRow[]): PlainFrame[] {
  const fields: Record<string, string> = {}
  const previousById = new Map(previousFrames.map((row) => [row.id, row]))
  const ids = new Set<string>()
  const slugs = new Map<string, string>()
  const frames = sentFrames.map((frame, index): PlainFrame => {
    const path = `frames.${index}`
    const { name, slug } = frame.data
    if (ids.has(frame.id)) fields[`${path}.id`] = 'Two frames have the same ID. Give one of them a different ID.'
    ids.add(frame.id)
    const otherName = slugs.get(slug)
    if (otherName !== undefined)
      fields[`${path}.data.slug`] = `“${name}” and “${otherName}” have the same slug. Slugs are unique on a board.`
    slugs.set(slug, name)
    const patternError = findPatternError(frame, previousById.get(frame.id))
    if (patternError) fields[`${path}.FrameConfig.engagementMode`] = patternError
    return {
      id: frame.id,
      engagement_mode: frame.FrameConfig.engagementMode,
      theme: frame.FrameConfig.theme ?? null,
      entity_type: frame.entityType ?? null,
      entity_id: frame.entityId ?? null,
      data: { ...frame.data, content: checkContent(frame, `${path}.data.content`, fields) },
    }
  })
  const [firstError] = Object.values(fields)
  if (firstError) throw new Problem('bad-input', { message: firstError, fields })
  return frames
}

/** Frame types of other Keeper versions work in every pattern. */
function findPatternError({ data, FrameConfig }: CompleteFrame, previous: FrameRow | undefined): string | undefined {
  const pattern = FrameConfig.engagementMode
  const isUnchanged = previous?.data.frameType === data.frameType && previous.engagement_mode === pattern
  if (isUnchanged || !isFrameType(data.frameType) || acceptsFrame(pattern, data.frameType)) return undefined
  return `“${data.name}” can’t be saved. ${describePatternMismatch(pattern, data.frameType)}`
}

function checkContent(
  { data: { frameType, name, content } }: CompleteFrame,
  path: string,
  fields: Record<string, string>,
): Record<string, unknown> {
  if (!isFrameType(frameType)) {
    if (JSON.stringify(content).length > maxContentLength)
      fields[path] = `“${name}” has more than ${maxContentLength.toLocaleString('en-US')} characters.`
    return content
  }
  const shape = isFrameWithContent(frameType) ? frameContent[frameType] : entityContent
  const result = shape.safeParse({ ...createEmptyContent(frameType), ...content })
  if (result.success) return result.data
  for (const issue of result.error.issues) {
    const field = [path, ...issue.path].join('.')
    const text = issue.message.startsWith('Invalid') ? 'This value can’t be used.' : issue.message
    fields[field] ??= `“${name}”, ${issue.path.join('.')}: ${text}`
  }
  return content
}
