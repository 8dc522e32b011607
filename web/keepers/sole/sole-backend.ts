import type { MemoryConsentInput } from '#contract/keepers/memory-checks.ts'
import { type SoleVersion, sole } from '#contract/keepers/sole.ts'
import { call, callEnvelope } from '#web/api/api.ts'

export interface SoleVersionPage {
  versions: SoleVersion[]
  next: string | null
}

export type SoleBackend = ReturnType<typeof createServerSole>

export function createServerSole(keeperId: string) {
  const params = { id: keeperId }
  return {
    /** Newest first. */
    async fetchVersions(cursor: string | null, signal?: AbortSignal): Promise<SoleVersionPage> {
      const query = { ...(cursor && { cursor }) }
      const { data = [], next_cursor } = await callEnvelope(sole.versions, { params, query, ...(signal && { signal }) })
      return { versions: data, next: next_cursor ?? null }
    },
    /** Resolves to the version number of the new draft. */
    async submit(content: string) {
      return (await call(sole.submitDraft, { params, body: { content } })).version
    },
    /** Approves only the given statements, or all when omitted. */
    async approve(version: number, statementIds?: string[], goldenCheck?: MemoryConsentInput) {
      const body = { version, ...(statementIds && { statementIds }), ...(goldenCheck && { goldenCheck }) }
      await call(sole.approve, { params, body })
    },
    async reject(version: number, reason: string) {
      await call(sole.reject, { params, body: { version, reason } })
    },
    async restore(version: number) {
      await call(sole.restore, { params: { id: keeperId, version } })
    },
  }
}
