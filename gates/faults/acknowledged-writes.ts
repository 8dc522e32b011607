import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mediaPath } from '#server/media/folder-media.ts'
import { type Look, listOf } from './look.ts'

export const kinds = ['agent', 'moment', 'board', 'run'] as const
export type Kind = (typeof kinds)[number]
/** Full content of an entity as text; null: it doesn't exist. */
type State = string | null

interface Fact {
  kind: Kind
  key: string
  sure: State
  /** Requested since without a response: each may be stored, but only as a whole. */
  maybe: State[]
}

export interface Found {
  lost: string[]
  half: string[]
}

export class AcknowledgedWrites {
  readonly #facts = new Map<string, Fact>()
  readonly #touched = new Set<Fact>()
  acknowledged = 0

  begins(kind: Kind, key: string, state: State): void {
    const fact = this.#factOf(kind, key)
    fact.maybe.push(state)
    this.#touched.add(fact)
  }

  isSure(kind: Kind, key: string, state: State): void {
    const fact = this.#factOf(kind, key)
    Object.assign(fact, { sure: state, maybe: [] })
    this.#touched.add(fact)
    this.acknowledged++
  }

  isRefused(kind: Kind, key: string): void {
    this.#factOf(kind, key).maybe = []
  }

  /** Compares recent or all writes with the database; stored states then count as acknowledged. */
  async check(look: Look, dataDir: string, all = false): Promise<Found> {
    const facts = all ? [...this.#facts.values()] : [...this.#touched]
    this.#touched.clear()
    const found: Found = { lost: [], half: [] }
    for (const kind of kinds) {
      const mine = facts.filter((fact) => fact.kind === kind)
      for (let at = 0; at < mine.length; at += 500) {
        const some = mine.slice(at, at + 500)
        const there = await statesOf[kind](
          look,
          some.map(({ key }) => key),
          dataDir,
        )
        for (const fact of some) {
          const state = there.get(fact.key) ?? null
          if (state !== fact.sure && !fact.maybe.includes(state)) {
            const line = `${kind} ${fact.key} is ${state?.slice(0, 200) ?? 'gone'}, not ${fact.sure?.slice(0, 200) ?? 'gone'}`
            found[fact.maybe.length > 0 && state !== null ? 'half' : 'lost'].push(line)
          }
          Object.assign(fact, { sure: state, maybe: [] })
        }
      }
    }
    return found
  }

  #factOf(kind: Kind, key: string): Fact {
    const name = `${kind} ${key}`
    let fact = this.#facts.get(name)
    if (!fact) {
      fact = { kind, key, sure: null, maybe: [] }
      this.#facts.set(name, fact)
    }
    return fact
  }
}

export const momentState = (body: string, topics: string[], hashes: string[]) =>
  JSON.stringify([body, topics.toSorted(), hashes.toSorted()])
export const boardState = (name: string, frames: string[]) => JSON.stringify([name, frames.toSorted()])
export const runState = (response: string, said: string[]) => JSON.stringify([response, said])

const statesOf: Record<Kind, (look: Look, keys: string[], dataDir: string) => Promise<Map<string, string>>> = {
  async agent(look, keys) {
    const rows = await look.rows(`select slug, purpose from agents where slug in (${listOf(keys)})`)
    return new Map(rows.map(({ slug, purpose }) => [String(slug), String(purpose)]))
  },
  async moment(look, keys, dataDir) {
    const list = listOf(keys)
    const moments = await look.rows(`select id, body from moments where id in (${list}) and deleted_at is null`)
    const topics = gather(
      await look.rows(`select entity_id as id, topics.name as word from entry_topics
        join topics on topics.id = entry_topics.topic_id where entity = 'moment' and entity_id in (${list})`),
    )
    const files = gather(
      await look.rows(`select entity_id as id, sha256 as word from media
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
  async board(look, keys) {
    const list = listOf(keys)
    const name = look.engine === 'sqlite' ? `data ->> '$.name'` : `data ->> 'name'`
    const boards = await look.rows(`select id, name from boards where id in (${list}) and deleted_at is null`)
    const frames = gather(
      await look.rows(`select board_id as id, ${name} as word from board_frames where board_id in (${list})`),
    )
    return new Map(boards.map(({ id, name }) => [String(id), boardState(String(name), frames.get(String(id)) ?? [])]))
  },
  async run(look, keys) {
    const list = listOf(keys)
    const runs = await look.rows(`select id, response from runs where status = 'success' and id in (${list})`)
    const said = gather(
      await look.rows(`select run_id as id, content as word from messages
        where sender = 'agent' and run_id in (${list})`),
    )
    return new Map(runs.map(({ id, response }) => [String(id), runState(String(response), said.get(String(id)) ?? [])]))
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
        .update(readFileSync(mediaPath(dataDir, sha256)))
        .digest('hex') === sha256
    )
  } catch {
    return false
  }
}
