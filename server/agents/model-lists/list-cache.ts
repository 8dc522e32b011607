import { createHash } from 'node:crypto'
import { LruMap } from '#contract/lru-map.ts'
import { hourMs } from '#server/hours-and-days.ts'
import { ProcessBus } from '#server/live/process-bus.ts'
import type { ModelFailure } from '#server/models/model-failure.ts'

const keptMs = hourMs
/** A refusal is asked about again soon, but not by every form that is opened. */
const failureKeptMs = 60 * 1000
const maxLists = 1000
const maxAddresses = 200

/** What a list depends on. */
export interface ListKey {
  what: 'models' | 'voices'
  provider: string
  /** Whose key asks: a person's id, `platform`, or `null` for none. */
  payer: string | null
  key: string | null
  baseUrl: string | null
}

/** What a provider said, or why it did not; `failure` where it was asked. */
export type Heard<Item> =
  | { items: Item[]; problem: null }
  | { items: null; problem: string; failure?: Pick<ModelFailure, 'code' | 'status'> }

interface Kept {
  heard: Heard<unknown>
  at: number
  belongsTo: string
}

/** Lists for an hour, by provider and key; a key that was changed finds nothing of the old one's. Keys themselves are not in it. */
export class ListCache {
  readonly #kept = new LruMap<string, Kept>(maxLists)
  readonly #latest = new LruMap<string, readonly unknown[]>(maxAddresses)
  readonly #asked = new Map<string, Promise<Kept>>()
  readonly #bus: ProcessBus

  constructor(bus = new ProcessBus()) {
    this.#bus = bus
    bus.on('lists-forgotten', ({ owner, provider }) => this.#forget(owner, provider))
    bus.onMissed(() => this.#kept.clear())
  }

  /** The list and when it was heard (milliseconds). Who asks while somebody asks already gets the same answer. */
  async get<Item>(
    key: ListKey,
    { fresh, now, ask }: { fresh: boolean; now: () => number; ask: () => Promise<Heard<Item>> },
  ): Promise<{ heard: Heard<Item>; at: number }> {
    const name = nameOf(key)
    const known = this.#kept.get(name)
    if (known && !fresh && now() - known.at < (known.heard.problem === null ? keptMs : failureKeptMs))
      return known as Kept & { heard: Heard<Item> }
    let asked = this.#asked.get(name)
    if (!asked) {
      asked = ask()
        .then((heard) => {
          if (heard.items) this.#latest.set(addressKey(key), heard.items)
          return this.#keep(name, { heard, at: now(), belongsTo: owned(key.payer, key.provider) })
        })
        .finally(() => this.#asked.delete(name))
      this.#asked.set(name, asked)
    }
    return asked as Promise<Kept & { heard: Heard<Item> }>
  }

  /** What an address listed last, whoever asked; undefined before it was asked. For choices only, never to be shown. */
  getLatest<Item>(key: Pick<ListKey, 'what' | 'provider' | 'baseUrl'>): readonly Item[] | undefined {
    return this.#latest.get(addressKey(key)) as readonly Item[] | undefined
  }

  /** The key of this owner (a person's id or `platform`) changed. */
  forget(owner: string, provider: string): void {
    this.#forget(owner, provider)
    this.#bus.send({ kind: 'lists-forgotten', owner, provider })
  }

  #forget(owner: string, provider: string): void {
    for (const [name, { belongsTo }] of this.#kept) if (belongsTo === owned(owner, provider)) this.#kept.delete(name)
  }

  #keep(name: string, kept: Kept): Kept {
    this.#kept.set(name, kept)
    return kept
  }
}

function owned(payer: string | null, provider: string): string {
  return `${provider} ${payer ?? ''}`
}

const addressKey = ({ what, provider, baseUrl }: Pick<ListKey, 'what' | 'provider' | 'baseUrl'>) =>
  JSON.stringify([what, provider, baseUrl])

function nameOf({ what, provider, payer, key, baseUrl }: ListKey): string {
  return createHash('sha256')
    .update(JSON.stringify([what, provider, payer, key, baseUrl]))
    .digest('base64url')
}
