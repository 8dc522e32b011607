import { type SoleVersion, sole } from '#contract/keepers/sole.ts'
import { call } from '#web/api.ts'

/** Where the versions of a SOLE come from, and what is done with them: the server, or a sample kept in memory. */
export interface SoleBackend {
  versions(signal?: AbortSignal): Promise<SoleVersion[]>
  /** Answers the number of the version that waits now. */
  submit(content: string): Promise<number>
  /** Of what the draft proposes exactly these; all, when left out. */
  approve(version: number, statementIds?: string[]): Promise<void>
  reject(version: number, reason: string): Promise<void>
  restore(version: number): Promise<void>
}

export function serverSole(keeperId: string): SoleBackend {
  const params = { id: keeperId }
  return {
    versions: (signal) => call(sole.versions, { params, ...(signal && { signal }) }),
    async submit(content) {
      return (await call(sole.submitDraft, { params, body: { content } })).version
    },
    async approve(version, statementIds) {
      await call(sole.approve, { params, body: { version, ...(statementIds && { statementIds }) } })
    },
    async reject(version, reason) {
      await call(sole.reject, { params, body: { version, reason } })
    },
    async restore(version) {
      await call(sole.restore, { params: { id: keeperId, version } })
    },
  }
}
