import type { FrameData } from '#contract/boards/boards.ts'
import { readContent } from '#contract/boards/frame-content.ts'
import { type LoadEntries, toDay } from './kinds.ts'
import { toReadableText } from './readable-text.ts'

export const loadChats: LoadEntries = async (db, ids) => {
  const rows = await db
    .selectFrom('chat_sessions')
    .select(['id', 'person_id', 'name', 'updated_at'])
    .where('id', 'in', ids)
    .execute()
  return new Map(
    rows.flatMap(({ id, person_id, name, updated_at: at }) =>
      person_id === null
        ? []
        : [[id, { ownerId: person_id, containerId: id, at, day: toDay(at), title: name, texts: [] }]],
    ),
  )
}

export const loadMessages: LoadEntries = async (db, ids) => {
  const rows = await db
    .selectFrom('messages')
    .innerJoin('chat_sessions', 'chat_sessions.id', 'messages.session_id')
    .select(['messages.id', 'messages.session_id', 'messages.content', 'messages.created_at'])
    .select('chat_sessions.person_id')
    .where('messages.id', 'in', ids)
    .execute()
  return new Map(
    rows.flatMap(({ id, session_id: containerId, content, created_at: at, person_id }) =>
      person_id === null
        ? []
        : [
            [
              id,
              { ownerId: person_id, containerId, at, day: toDay(at), title: '', texts: [toReadableText(content)] },
            ] as const,
          ],
    ),
  )
}

export const loadBoards: LoadEntries = async (db, ids) => {
  const rows = await db
    .selectFrom('boards')
    .select(['id', 'owner_id', 'name', 'description', 'updated_at'])
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(
    rows.map(({ id, owner_id: ownerId, name: title, description, updated_at: at }) => [
      id,
      { ownerId, containerId: id, at, day: toDay(at), title, texts: [description] },
    ]),
  )
}

/** The ID of a frame is unique only on its board. */
export const loadFrames: LoadEntries = async (db, ids) => {
  const rows = await db
    .selectFrom('board_frames')
    .innerJoin('boards', 'boards.id', 'board_frames.board_id')
    .select(['board_frames.board_id', 'board_frames.id', 'board_frames.data', 'board_frames.created_at'])
    .select('boards.owner_id')
    .where(
      'board_frames.board_id',
      'in',
      ids.map((id) => id.slice(0, id.indexOf('/'))),
    )
    .where(
      'board_frames.id',
      'in',
      ids.map((id) => id.slice(id.indexOf('/') + 1)),
    )
    .execute()
  return new Map(
    rows.map(({ board_id: containerId, id, data, created_at: at, owner_id: ownerId }) => [
      `${containerId}/${id}`,
      {
        ownerId,
        containerId,
        at,
        day: toDay(at),
        title: data.name ?? '',
        texts: [data.description ?? '', ...getFrameTexts(data)],
      },
    ]),
  )
}

function getFrameTexts({ frameType, content }: FrameData): string[] {
  switch (frameType) {
    case 'media_card': {
      const { title, caption, alt } = readContent(frameType, content)
      return [title, caption, alt]
    }
    case 'preview':
      return [readContent(frameType, content).html.replace(/<[^<>]*>/g, ' ')]
    case 'code_snippet':
      return [readContent(frameType, content).code]
    case 'process_frame':
      return readContent(frameType, content).steps.map(({ title }) => title)
    case 'agent_preview':
      return [readContent(frameType, content).input]
    default:
      return []
  }
}
