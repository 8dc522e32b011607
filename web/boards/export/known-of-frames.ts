import type { QueryClient } from '@tanstack/react-query'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import type { Frame } from '#contract/boards/boards.ts'
import { readContent } from '#contract/boards/frame-content.ts'
import { fetchFile } from '#web/api.ts'
import type { BoardDocument } from '../document/board-document.ts'
import { agentQuery, journeyQuery, keeperQuery, momentQuery, shownBoardQuery } from '../frames/entity-queries.ts'
import type { Known } from './frame-words.ts'
import { pictureData } from './picture-data.ts'

export interface KnownOfFrames {
  known: Map<string, Known>
  /** Names of frames whose picture failed to load or would make the file too large. */
  withoutPicture: string[]
}

const mostNamed = 5

export function leftOutNote(names: readonly string[], where = 'the export'): string {
  const named = names.length > mostNamed ? [...names.slice(0, mostNamed), `${names.length - mostNamed} more`] : names
  const list = new Intl.ListFormat('en-US').format(named)
  return `${names.length === 1 ? '1 picture is' : `${names.length} pictures are`} missing from ${where}: ${list}.`
}

/** Total size of all pictures, in base64 characters. */
const mostPictures = 32_000_000
const atOnce = 4
const mostAsked = 200

/** Loads pictures and entity names; whatever fails is left out. */
export async function knownOfFrames(
  { frames }: BoardDocument,
  { boardId, queries, isOffline }: { boardId: string; queries: QueryClient; isOffline: boolean },
): Promise<KnownOfFrames> {
  const known = new Map<string, Known>()
  if (isOffline) return { known, withoutPicture: frames.filter(pictureOf).map(nameOfFrame) }
  const names = await namesOf(frames, queries)
  for (const frame of frames) {
    const name = names.get(namedThing(frame) ?? '')
    if (name) known.set(frame.id, { name })
  }
  let held = 0
  const missing = new Set<Frame>()
  await eachInTurn(frames.filter(pictureOf), async (frame) => {
    const picture =
      held < mostPictures ? await loadPicture(boardId, pictureOf(frame) ?? '', frame.data.size) : undefined
    if (!picture || held + picture.length > mostPictures) {
      missing.add(frame)
      return
    }
    held += picture.length
    known.set(frame.id, { ...known.get(frame.id), picture })
  })
  // In board order, not in response order.
  return { known, withoutPicture: frames.filter((frame) => missing.has(frame)).map(nameOfFrame) }
}

const nameOfFrame = ({ data }: Frame) => data.name

function pictureOf({ data }: Frame): string | null {
  return data.frameType === 'media_card' ? readContent('media_card', data.content).mediaId : null
}

async function loadPicture(boardId: string, pictureId: string, size: Frame['data']['size']) {
  try {
    const { blob } = await fetchFile(boardSharing.picture, { params: { id: boardId, pictureId } })
    return await pictureData(blob, size)
  } catch {
    // Reported as missing; the frame is drawn with its text.
    return undefined
  }
}

/** Key such as `journey 0af1…`. */
function namedThing({ data: { frameType, content } }: Frame): string | undefined {
  const found =
    frameType === 'preview'
      ? readContent('preview', content)
      : frameType === 'dialog'
        ? { entity: 'agent', entityId: readContent('dialog', content).agentId }
        : frameType === 'agent_preview'
          ? { entity: 'agent', entityId: readContent('agent_preview', content).agentId }
          : undefined
  return found?.entity && found.entityId ? `${found.entity} ${found.entityId}` : undefined
}

async function namesOf(frames: readonly Frame[], queries: QueryClient): Promise<Map<string, string>> {
  const wanted = [...new Set(frames.flatMap((frame) => namedThing(frame) ?? []))].slice(0, mostAsked)
  const names = new Map<string, string>()
  await eachInTurn(wanted, async (thing) => {
    const [entity, id = ''] = thing.split(' ')
    const name = await nameOf(entity ?? '', id, queries).catch(() => undefined)
    if (name) names.set(thing, name)
  })
  return names
}

async function nameOf(entity: string, id: string, queries: QueryClient): Promise<string | undefined> {
  const fresh = { staleTime: 60_000, retry: false } as const
  if (entity === 'agent') return (await queries.fetchQuery({ ...agentQuery(id), ...fresh })).name
  if (entity === 'board') return (await queries.fetchQuery({ ...shownBoardQuery(id), ...fresh })).name
  if (entity === 'keeper') return (await queries.fetchQuery({ ...keeperQuery(id), ...fresh })).title
  if (entity === 'journey') return (await queries.fetchQuery({ ...journeyQuery(id), ...fresh })).title
  if (entity === 'moment') return (await queries.fetchQuery({ ...momentQuery(id), ...fresh })).title ?? undefined
  return undefined
}

async function eachInTurn<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items]
  const take = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await act(item)
  }
  await Promise.all(Array.from({ length: atOnce }, take))
}
