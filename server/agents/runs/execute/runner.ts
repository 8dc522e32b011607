import type { Person } from '#server/accounts/person.ts'
import type { Visitor } from '#server/http/visitor.ts'

export type Runner = { person: Person; visitor: null } | { person: null; visitor: Visitor }

export function getRunner(call: { person: Person | null; visitor(): Visitor }): Runner {
  return call.person ? { person: call.person, visitor: null } : { person: null, visitor: call.visitor() }
}
