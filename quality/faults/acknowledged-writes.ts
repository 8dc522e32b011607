import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getMediaPath } from '../../server/media/folder-media.ts'
import { type DatabaseInspector, toSqlList } from './database-inspector.ts'

export const entityKinds = ['agent', 'moment', 'board', 'run'] as const
export type EntityKind = (typeof entityKinds)[number]
/** Full content of an entity as text; null: it doesn't exist. */
type EntityState = string | null

interface TrackedEntity {
  kind: EntityKind
  key: string
  acknowledgedState: EntityState
  /** Requested since then without a response: each can be stored, but only whole. */
  possibleStates: EntityState[]
}

export interface WriteLosses {
  lost: string[]
  partial: string[]
}

export class AcknowledgedWrites {
  readonly #entities = new Map<string, TrackedEntity>()
  readonly #touched = new Set<TrackedEntity>()
  acknowledgedCount = 0

  start(kind: EntityKind, key: string, state: EntityState): void {
    const tracked = this.#getTracked(kind, key)
    tracked.possibleStates.push(state)
    this.#touched.add(tracked)
  }

  confirm(kind: EntityKind, key: string, state: EntityState): void {
    const tracked = this.#getTracked(kind, key)
    Object.assign(tracked, { acknowledgedState: state, possibleStates: [] })
    this.#touched.add(tracked)
    this.acknowledgedCount++
  }

  refuse(kind: EntityKind, key: string): void {
    this.#getTracked(kind, key).possibleStates = []
  }

  /** Compares recent or all writes with the database; stored states then count as acknowledged. */
  async check(inspector: DatabaseInspector, dataDir: string, all = false): Promise<WriteLosses> {
    const entities = all ? [...this.#entities.values()] : [...this.#touched]
    this.#touched.clear()
    const losses: WriteLosses = { lost: [], partial: [] }
    for (const kind of entityKinds) {
      const kindEntities = entities.filter((tracked) => tracked.kind === kind)
      for (let offset = 0; offset < kindEntities.length; offset += 500) {
        const chunk = kindEntities.slice(offset, offset + 500)
        const storedStates = await readStates[kind](
          inspector,
          chunk.map(({ key }) => key),
          dataDir,
        )
        for (const tracked of chunk) {
          const state = storedStates.get(tracked.key) ?? null
          if (state !== tracked.acknowledgedState && !tracked.possibleStates.includes(state)) {
            const line = `${kind} ${tracked.key} is ${state?.slice(0, 200) ?? 'missing'}, not ${tracked.acknowledgedState?.slice(0, 200) ?? 'missing'}`
            losses[tracked.possibleStates.length > 0 && state !== null ? 'partial' : 'lost'].push(line)
          }
          Object.assign(tracked, { acknowledgedState: state, possibleStates: [] })
        }
      }
    }
    return losses
  }

  #getTracked(kind: EntityKind, key: string): TrackedEntity {
    const name = `${kind} ${key}`
    let tracked = this.#entities.get(name)
    if (!tracked) {
      tracked = { kind, key, acknowledgedState: null, possibleStates: [] }
      this.#entities.set(name, tracked)
    }
    return tracked
  }
}

export const formatMomentState = (body: string, topics: string[], hashes: string[]) =>
  JSON.stringify([body, topics.toSorted(), hashes.toSorted()])
export const formatBoardState = (name: string, frames: string[]) => JSON.stringify([name, frames.toSorted()])
export const formatRunState = (response: string, answers: string[]) => JSON.stringify([response, answers])

const readStates: Record<
  EntityKind,
  (inspector: DatabaseInspector, keys: string[], dataDir: string) => Promise<Map<string, string>>
> = {
  async agent(inspector, keys) {
    const rows = await inspector.rows(`select slug, purpose from agents where slug in (${toSqlList(keys)})`)
    return new Map(rows.map(({ slug, purpose }) => [String(slug), String(purpose)]))
  },
  async moment(inspector, keys, dataDir) {
    const idList = toSqlList(keys)
    const moments = await inspector.rows(`select id, body from moments where id in (${idList}) and deleted_at is null`)
    const topics = groupValues(
      await inspector.rows(`select entity_id as id, topics.name as value from entry_topics
        join topics on topics.id = entry_topics.topic_id where entity = 'moment' and entity_id in (${idList})`),
    )
    const files = groupValues(
      await inspector.rows(`select entity_id as id, sha256 as value from media
        where entity = 'moment' and entity_id in (${idList})`),
    )
    return new Map(
      moments.map(({ id, body }) => {
        const hashes = files.get(String(id)) ?? []
        const verifiedHashes = hashes.map((sha256) =>
          isIntact(dataDir, sha256) ? sha256 : `${sha256} without its bytes`,
        )
        return [String(id), formatMomentState(String(body), topics.get(String(id)) ?? [], verifiedHashes)]
      }),
    )
  },
  async board(inspector, keys) {
    const idList = toSqlList(keys)
    const name = inspector.engine === 'sqlite' ? `data ->> '$.name'` : `data ->> 'name'`
    const boards = await inspector.rows(`select id, name from boards where id in (${idList}) and deleted_at is null`)
    const frames = groupValues(
      await inspector.rows(`select board_id as id, ${name} as value from board_frames where board_id in (${idList})`),
    )
    return new Map(
      boards.map(({ id, name }) => [String(id), formatBoardState(String(name), frames.get(String(id)) ?? [])]),
    )
  },
  async run(inspector, keys) {
    const idList = toSqlList(keys)
    const runs = await inspector.rows(`select id, response from runs where status = 'success' and id in (${idList})`)
    const answers = groupValues(
      await inspector.rows(`select run_id as id, content as value from messages
        where sender = 'agent' and run_id in (${idList})`),
    )
    return new Map(
      runs.map(({ id, response }) => [String(id), formatRunState(String(response), answers.get(String(id)) ?? [])]),
    )
  },
}

function groupValues(rows: Record<string, unknown>[]): Map<string, string[]> {
  const groups = Map.groupBy(rows, ({ id }) => String(id))
  return new Map([...groups].map(([id, groupRows]) => [id, groupRows.map(({ value }) => String(value))]))
}

function isIntact(dataDir: string, sha256: string): boolean {
  try {
    return (
      createHash('sha256')
        .update(readFileSync(getMediaPath(dataDir, sha256)))
        .digest('hex') === sha256
    )
  } catch {
    return false
  }
}
