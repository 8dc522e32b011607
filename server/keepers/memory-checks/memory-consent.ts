import type { MemoryCheck, MemoryConsentInput } from '#contract/keepers/memory-checks.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { findFinishedCheck, showMemoryCheck, startMemoryCheck } from './memory-check.ts'
import type { PendingMemory } from './pending-memory.ts'

export class MemoryConsent {
  readonly #services: Services
  readonly #person: Person
  readonly #input: MemoryConsentInput
  #newCheck: MemoryCheck | undefined

  constructor(services: Services, person: Person, input: MemoryConsentInput = {}) {
    this.#services = services
    this.#person = person
    this.#input = input
  }

  /** @throws Problem `answers-changed` with the check, until the person confirms */
  async requireConsent(memory: PendingMemory | null): Promise<void> {
    const { checkId, approveAnyway = false, skip = false } = this.#input
    if (!memory || skip) return
    const finishedCheck = checkId && (await findFinishedCheck(this.#services, this.#person, checkId, memory))
    const check = finishedCheck || (await this.#runCheck(memory))
    if (check.changed.length > 0 && !(finishedCheck && approveAnyway))
      throw new Problem('answers-changed', { data: check })
  }

  async #runCheck(memory: PendingMemory): Promise<MemoryCheck> {
    const { check, finished } = await startMemoryCheck(this.#services, this.#person, memory)
    if (check.id === null) return check
    await finished
    this.#newCheck = await showMemoryCheck(this.#services, this.#person, check.id)
    return this.#newCheck
  }

  toReply<Data>(data: Data): Data | Reply<Data> {
    return this.#newCheck ? new Reply(data, { extra: { goldenCheck: this.#newCheck } }) : data
  }
}
