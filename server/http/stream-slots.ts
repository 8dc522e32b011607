import { Problem } from './problem.ts'

/** A stream of a run as it goes on, or of what happens to a person, in each of their tabs. */
export type StreamKind = 'answers' | 'tabs'

/** Streams of each kind that one process keeps open: tabs never take the place of answers. */
export const maxStreams = 500
/**
 * Streams of each kind that one person keeps open. Of answers twice as many as of tabs, started and resumed together: one
 * next to another in each tab, and still far below the runs one can have, which go on and count without being followed.
 */
const maxOfPerson: Record<StreamKind, number> = { answers: 32, tabs: 16 }
const retryAfterSeconds = 5
const tooManyTexts: Record<StreamKind, string> = {
  answers: 'You follow too many answers at once. Wait for one to end, stop one, or close a page that shows one.',
  tabs: 'Keeper is open in too many tabs at once. Close one.',
}

export interface StreamClient {
  /** The network of the client, as `clientAddress` answers it. */
  address: string
  person: { id: string } | null
  visitor: { id: string } | null
}

/** A reserved place for one stream. */
export interface StreamSlot {
  readonly kind: StreamKind
  /** Calls `end` when another client takes the slot; at once if that has happened already. */
  onEvicted(end: () => void): void
  /** Gives the slot back, however often it is called. */
  release(): void
}

/**
 * The open streams of this process. While slots are free only the limit of a person holds; when none is, a client with few
 * streams takes the slot of the one with the most (docs/decisions/0024).
 */
export class StreamSlots {
  /** Of each kind, the oldest first. A few hundred: counting them costs less than keeping counts. */
  readonly #taken: Record<StreamKind, TakenSlot[]> = { answers: [], tabs: [] }
  readonly #limits: { visitorRunsAtOnce: number }

  constructor(limits: { visitorRunsAtOnce: number }) {
    this.#limits = limits
  }

  /**
   * To be called before anything starts that nobody could follow then.
   * @throws Problem `too-many` when the client has no slot left, `streams-full` when nobody gives way
   */
  take(kind: StreamKind, { address, person, visitor }: StreamClient): StreamSlot {
    const taken = this.#taken[kind]
    const newcomer = toHolder(taken, { owner: person?.id ?? visitor?.id ?? '', address })
    if (newcomer.ofOwner.count >= (person ? maxOfPerson[kind] : this.#maxOfVisitor()))
      throw new Problem('too-many', { message: tooManyTexts[kind], retryAfterSeconds })
    if (taken.length >= maxStreams) {
      const victim = findVictim(taken, newcomer)
      if (!victim) throw new Problem('streams-full', { retryAfterSeconds })
      victim.evict()
    }
    return new TakenSlot(kind, newcomer, taken)
  }

  /** Each answer they can have started, and each once more in another tab. */
  #maxOfVisitor(): number {
    return Math.min(2 * this.#limits.visitorRunsAtOnce, maxOfPerson.answers)
  }
}

/** Who has a stream, with the count of their streams and of their address, which all their slots share. */
interface Holder {
  owner: string
  address: string
  ofOwner: { count: number }
  ofAddress: { count: number }
}

function toHolder(taken: readonly TakenSlot[], { owner, address }: { owner: string; address: string }): Holder {
  return {
    owner,
    address,
    ofOwner: taken.find(({ holder }) => holder.owner === owner)?.holder.ofOwner ?? { count: 0 },
    ofAddress: taken.find(({ holder }) => holder.address === address)?.holder.ofAddress ?? { count: 0 },
  }
}

class TakenSlot implements StreamSlot {
  readonly kind: StreamKind
  readonly holder: Holder
  readonly #among: TakenSlot[]
  #isEvicted = false
  #end: (() => void) | undefined

  constructor(kind: StreamKind, holder: Holder, among: TakenSlot[]) {
    this.kind = kind
    this.holder = holder
    this.#among = among
    among.push(this)
    this.#count(1)
  }

  onEvicted(end: () => void): void {
    this.#end = end
    if (this.#isEvicted) end()
  }

  evict(): void {
    this.#isEvicted = true
    this.release()
    this.#end?.()
  }

  release(): void {
    const at = this.#among.indexOf(this)
    if (at === -1) return
    this.#among.splice(at, 1)
    this.#count(-1)
  }

  #count(change: 1 | -1): void {
    this.holder.ofOwner.count += change
    this.holder.ofAddress.count += change
  }
}

/**
 * The oldest stream of the holder that has the most, address and person together, or nothing where the newcomer would
 * then have as many: each takeover lowers the sum of the squares of both counts, so that no two clients take turns.
 */
function findVictim(taken: readonly TakenSlot[], { ofOwner, ofAddress }: Holder): TakenSlot | undefined {
  let victim: TakenSlot | undefined
  let largestGain = 0
  for (const slot of taken) {
    const { holder } = slot
    // Nobody loses their only stream to somebody who has one.
    if (holder.ofOwner.count <= ofOwner.count) continue
    const gain =
      (holder.ofOwner === ofOwner ? 0 : holder.ofOwner.count - ofOwner.count - 1) +
      (holder.ofAddress === ofAddress ? 0 : holder.ofAddress.count - ofAddress.count - 1)
    if (gain > largestGain) {
      victim = slot
      largestGain = gain
    }
  }
  return victim
}
