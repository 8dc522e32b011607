import type { Person } from '#server/accounts/person.ts'
import type { Visitor } from '#server/http/visitor.ts'

export type Runner = ({ person: Person; visitor: null } | { person: null; visitor: Visitor }) & {
  /** A local day; the run reads memory as it was at the end of that day. */
  asOf?: string | null
}

export function getRunner(call: { person: Person | null; visitor(): Visitor }): Runner {
  return call.person ? { person: call.person, visitor: null } : { person: null, visitor: call.visitor() }
}
