import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getMediaPath } from '#server/media/folder-media.ts'
import { type DatabaseInspector, toSqlList } from './database-inspector.ts'

export const kinds = ['agent', 'moment', 'board', 'run'] as const
export type Kind = (typeof kinds)[number]
/** Full content of an entity as text; null: it doesn't exist. */
type State = string | null

interface TrackedEntity {
  kind: Kind
  key: string
  sure: State
  /** Requested since without a response: each may be stored, but only as a whole. */
  maybe: State[]
}

export interface WriteLosses {
  lost: string[]
  half: string[]
}

export class AcknowledgedWrites {
  readonly #entities = new Map<string, TrackedEntity>()
  readonly #touched = new Set<TrackedEntity>()
  acknowledged = 0

  start(kind: Kind, key: string, state: State): void {
    const tracked = this.#getTracked(kind, key)
    tracked.maybe.push(state)
    this.#touched.add(tracked)
  }

  confirm(kind: Kind, key: string, state: State): void {
    const tracked = this.#getTracked(kind, key)
    Object.assign(tracked, { sure: state, maybe: [] })
    this.#touched.add(tracked)
    this.acknowledged++
  }

  refuse(kind: Kind, key: string): void {
    this.#getTracked(kind, key).maybe = []
  }

  /** Compares recent or all writes with the database; stored states then count as acknowledged. */
  async check(inspector: DatabaseInspector, dataDir: string, all = false): Promise<WriteLosses> {
    const entities = all ? [...this.#entities.values()] : [...this.#touched]
    this.#touched.clear()
    const losses: WriteLosses = { lost: [], half: [] }
    for (const kind of kinds) {
      const ofKind = entities.filter((tracked) => tracked.kind === kind)
      for (let at = 0; at < ofKind.length; at += 500) {
        const some = ofKind.slice(at, at + 500)
        const there = await readStates[kind](
          inspector,
          some.map(({ key }) => key),
          dataDir,
        )
        for (const tracked of some) {
          const state = there.get(tracked.key) ?? null
          if (state !== tracked.sure && !tracked.maybe.includes(state)) {
            const line = `${kind} ${tracked.key} is ${state?.slice(0, 200) ?? 'gone'}, not ${tracked.sure?.slice(0, 200) ?? 'gone'}`
            losses[tracked.maybe.length > 0 && state !== null ? 'half' : 'lost'].push(line)
          }
          Object.assign(tracked, { sure: state, maybe: [] })
        }
      }
    }
    return losses
  }

  #getTracked(kind: Kind, key: string): TrackedEntity {
    const name = `${kind} ${key}`
    let tracked = this.#entities.get(name)
    if (!tracked) {
      tracked = { kind, key, sure: null, maybe: [] }
      this.#entities.set(name, tracked)
    }
    return tracked
  }
}

export const momentState = (body: string, topics: string[], hashes: string[]) =>
  JSON.stringify([body, topics.toSorted(), hashes.toSorted()])
export const boardState = (name: string, frames: string[]) => JSON.stringify([name, frames.toSorted()])
export const runState = (response: string, answers: string[]) => JSON.stringify([response, answers])

const readStates: Record<
  Kind,
  (inspector: DatabaseInspector, keys: string[], dataDir: string) => Promise<Map<string, string>>
> = {
  async agent(inspector, keys) {
    const rows = await inspector.rows(`select slug, purpose from agents where slug in (${toSqlList(keys)})`)
    return new Map(rows.map(({ slug, purpose }) => [String(slug), String(purpose)]))
  },
  async moment(inspector, keys, dataDir) {
    const list = toSqlList(keys)
    const moments = await inspector.rows(`select id, body from moments where id in (${list}) and deleted_at is null`)
    const topics = gather(
      await inspector.rows(`select entity_id as id, topics.name as word from entry_topics
        join topics on topics.id = entry_topics.topic_id where entity = 'moment' and entity_id in (${list})`),
    )
    const files = gather(
      await inspector.rows(`select entity_id as id, sha256 as word from media
        where entity = 'moment' and entity_id in (${list})`),
    )
    return new Map(
      moments.map(({ id, body }) => {
        const hashes = files.get(String(id)) ?? []
        const sound = hashes.map((sha256) => (isWhole(dataDir, sha256) ? sha256 : `${sha256} without its bytes`))
        return [String(id), momentState(String(body), topics.get(String(id)) ?? [], sound)]
      }),
    )
  },
  async board(inspector, keys) {
    const list = toSqlList(keys)
    const name = inspector.engine === 'sqlite' ? `data ->> '$.name'` : `data ->> 'name'`
    const boards = await inspector.rows(`select id, name from boards where id in (${list}) and deleted_at is null`)
    const frames = gather(
      await inspector.rows(`select board_id as id, ${name} as word from board_frames where board_id in (${list})`),
    )
    return new Map(boards.map(({ id, name }) => [String(id), boardState(String(name), frames.get(String(id)) ?? [])]))
  },
  async run(inspector, keys) {
    const list = toSqlList(keys)
    const runs = await inspector.rows(`select id, response from runs where status = 'success' and id in (${list})`)
    const answers = gather(
      await inspector.rows(`select run_id as id, content as word from messages
        where sender = 'agent' and run_id in (${list})`),
    )
    return new Map(
      runs.map(({ id, response }) => [String(id), runState(String(response), answers.get(String(id)) ?? [])]),
    )
  },
}

function gather(rows: Record<string, unknown>[]): Map<string, string[]> {
  const groups = Map.groupBy(rows, ({ id }) => String(id))
  return new Map([...groups].map(([id, some]) => [id, some.map(({ word }) => String(word))]))
}

function isWhole(dataDir: string, sha256: string): boolean {
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
