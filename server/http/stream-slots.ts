import { Problem } from './problem.ts'

export type StreamKind = 'answers' | 'tabs'

export const maxStreams = 500
/** Per person and kind; answers allow two per tab. Runs beyond that continue without being streamed. */
const maxStreamsPerPerson: Record<StreamKind, number> = { answers: 32, tabs: 16 }
const retryAfterSeconds = 5
const tooManyTexts: Record<StreamKind, string> = {
  answers:
    'You’re following too many answers at once. Wait for one to finish, stop one, or close a page that shows one.',
  tabs: 'Keeper is open in too many tabs. Close one.',
}

export interface StreamClient {
  address: string
  person: { id: string } | null
  visitor: { id: string } | null
}

export interface StreamSlot {
  readonly kind: StreamKind
  /** Calls `onEnd` when another client takes the slot, or immediately if that already happened. */
  onEvicted(onEnd: () => void): void
  release(): void
}

/** While slots are free only the per-person limit applies; then they are taken from the greediest (docs/decisions/0024). */
export class StreamSlots {
  readonly #acquired: Record<StreamKind, AcquiredSlot[]> = { answers: [], tabs: [] }
  readonly #limits: { visitorConcurrency: number }

  constructor(limits: { visitorConcurrency: number }) {
    this.#limits = limits
  }

  get counts(): Record<StreamKind, number> {
    return { answers: this.#acquired.answers.length, tabs: this.#acquired.tabs.length }
  }

  /** Call before starting work that must be followed. @throws Problem `too-many` or, if no slot can be taken, `streams-full` */
  acquire(kind: StreamKind, { address, person, visitor }: StreamClient): StreamSlot {
    const slots = this.#acquired[kind]
    const newcomer = toSlotHolder(slots, { owner: person?.id ?? visitor?.id ?? '', address })
    if (newcomer.ownerStreams.count >= (person ? maxStreamsPerPerson[kind] : this.#getVisitorLimit()))
      throw new Problem('too-many', { message: tooManyTexts[kind], retryAfterSeconds })
    if (slots.length >= maxStreams) {
      const victim = findVictim(slots, newcomer)
      if (!victim) throw new Problem('streams-full', { retryAfterSeconds })
      victim.evict()
    }
    return new AcquiredSlot(kind, newcomer, slots)
  }

  #getVisitorLimit(): number {
    return Math.min(2 * this.#limits.visitorConcurrency, maxStreamsPerPerson.answers)
  }
}

interface SlotHolder {
  owner: string
  address: string
  ownerStreams: { count: number }
  addressStreams: { count: number }
}

function toSlotHolder(
  slots: readonly AcquiredSlot[],
  { owner, address }: { owner: string; address: string },
): SlotHolder {
  return {
    owner,
    address,
    ownerStreams: slots.find(({ holder }) => holder.owner === owner)?.holder.ownerStreams ?? { count: 0 },
    addressStreams: slots.find(({ holder }) => holder.address === address)?.holder.addressStreams ?? { count: 0 },
  }
}

class AcquiredSlot implements StreamSlot {
  readonly kind: StreamKind
  readonly holder: SlotHolder
  readonly #slots: AcquiredSlot[]
  #isEvicted = false
  #end: (() => void) | undefined

  constructor(kind: StreamKind, holder: SlotHolder, slots: AcquiredSlot[]) {
    this.kind = kind
    this.holder = holder
    this.#slots = slots
    slots.push(this)
    this.#count(1)
  }

  onEvicted(onEnd: () => void): void {
    this.#end = onEnd
    if (this.#isEvicted) onEnd()
  }

  evict(): void {
    this.#isEvicted = true
    this.release()
    this.#end?.()
  }

  release(): void {
    const index = this.#slots.indexOf(this)
    if (index === -1) return
    this.#slots.splice(index, 1)
    this.#count(-1)
  }

  #count(change: 1 | -1): void {
    this.holder.ownerStreams.count += change
    this.holder.addressStreams.count += change
  }
}

/** Only takes a slot if that lowers the sum of squared counts, so that clients can't evict each other forever. */
function findVictim(
  slots: readonly AcquiredSlot[],
  { ownerStreams, addressStreams }: SlotHolder,
): AcquiredSlot | undefined {
  let victim: AcquiredSlot | undefined
  let maxGain = 0
  for (const slot of slots) {
    const { holder } = slot
    // A person's only stream is never taken for someone who already has one.
    if (holder.ownerStreams.count <= ownerStreams.count) continue
    const gain =
      (holder.ownerStreams === ownerStreams ? 0 : holder.ownerStreams.count - ownerStreams.count - 1) +
      (holder.addressStreams === addressStreams ? 0 : holder.addressStreams.count - addressStreams.count - 1)
    if (gain > maxGain) {
      victim = slot
      maxGain = gain
    }
  }
  return victim
}
