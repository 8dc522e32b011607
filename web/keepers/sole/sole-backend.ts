import type { MemoryConsentInput } from '#contract/keepers/memory-checks.ts'
import { type SoleVersion, sole } from '#contract/keepers/sole.ts'
import { call, callEnvelope } from '#web/api.ts'

export interface SoleVersionPage {
  versions: SoleVersion[]
  next: string | null
}

export interface SoleBackend {
  /** Newest first. */
  fetchVersions(cursor: string | null, signal?: AbortSignal): Promise<SoleVersionPage>
  /** Resolves to the version number of the new draft. */
  submit(content: string): Promise<number>
  /** Approves only the given statements, or all when omitted. */
  approve(version: number, statementIds?: string[], goldenCheck?: MemoryConsentInput): Promise<void>
  reject(version: number, reason: string): Promise<void>
  restore(version: number): Promise<void>
}

export function createServerSole(keeperId: string): SoleBackend {
  const params = { id: keeperId }
  return {
    async fetchVersions(cursor, signal) {
      const query = { ...(cursor && { cursor }) }
      const { data = [], next_cursor } = await callEnvelope(sole.versions, { params, query, ...(signal && { signal }) })
      return { versions: data, next: next_cursor ?? null }
    },
    async submit(content) {
      return (await call(sole.submitDraft, { params, body: { content } })).version
    },
    async approve(version, statementIds, goldenCheck) {
      const body = { version, ...(statementIds && { statementIds }), ...(goldenCheck && { goldenCheck }) }
      await call(sole.approve, { params, body })
    },
    async reject(version, reason) {
      await call(sole.reject, { params, body: { version, reason } })
    },
    async restore(version) {
      await call(sole.restore, { params: { id: keeperId, version } })
    },
  }
}
