import { type SoleStatement, type SoleVersion, sole } from '#contract/keepers/sole.ts'
import {
  applyApproval,
  diffStatements,
  getChangedStatements,
  splitSentences,
} from '#contract/keepers/sole-statements.ts'
import { ApiError } from '#web/api/api.ts'
import type { AnyEndpoint, CallInput, CallResult, UntypedCallInput } from '#web/api/api-types.ts'
import type { BaseEntry } from '../entries/entry-kinds.ts'
import {
  createDemoKeeper,
  createSoleVersion,
  type DemoEntity,
  type DemoEntries,
  type DemoState,
  joinStatements,
} from './demo-state.ts'

type Answer = (state: DemoState, input: UntypedCallInput) => unknown
export const answers = new Map<AnyEndpoint, { answer: Answer; envelope: object }>()

export function on<E extends AnyEndpoint>(
  endpoint: E,
  answer: (state: DemoState, input: CallInput<E>) => CallResult<E>,
  envelope = {},
): void {
  answers.set(endpoint, { answer: answer as Answer, envelope })
}

export const refuse = (status: number, error: string) =>
  new ApiError({ status, statusText: '' }, JSON.stringify({ error }))
export const getNow = () => new Date().toISOString()

export const listEntries = <Kind extends DemoEntity>({ entries: all, deletedIds }: DemoState, kind: Kind) =>
  (all[kind] as BaseEntry[]).filter(({ id }) => !deletedIds.has(id)) as DemoEntries[Kind]

export function findEntry<Kind extends DemoEntity>(
  state: DemoState,
  kind: Kind,
  id: string,
): DemoEntries[Kind][number] {
  const entry = listEntries(state, kind).find((candidate) => candidate.id === id)
  if (!entry) throw refuse(404, 'This sample doesn’t exist.')
  return entry
}

export function putEntry<Kind extends DemoEntity>(state: DemoState, kind: Kind, entry: DemoEntries[Kind][number]) {
  const others = (state.entries[kind] as BaseEntry[]).filter(({ id }) => id !== entry.id)
  state.entries[kind] = [entry, ...others].toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)) as never
  return entry
}

export function updateEntry<Kind extends DemoEntity>(
  state: DemoState,
  kind: Kind,
  id: string,
  changes: Partial<DemoEntries[Kind][number]>,
) {
  const previous = findEntry(state, kind, id)
  state.history.set(id, [
    { rev: previous.rev, savedAt: getNow(), snapshot: { ...previous } },
    ...(state.history.get(id) ?? []),
  ])
  return putEntry(state, kind, { ...previous, ...changes, rev: previous.rev + 1, updatedAt: getNow() })
}

export const removeEntry = ({ deletedIds }: DemoState, id: string) => {
  deletedIds.add(id)
  return {}
}

on(sole.versions, ({ soleVersions }) => soleVersions)
on(sole.submitDraft, (state, { body: { content = '' } = {} }) => {
  const version = Math.max(...state.soleVersions.map((candidate) => candidate.version)) + 1
  const active = findVersion(state, 'active')?.statements ?? []
  const submitted = splitSentences(content).map(
    (text, index): SoleStatement => ({
      ...{ id: `own-${version}-${index}`, text, kind: 'add', replacesId: null, sources: [] },
    }),
  )
  const statements = diffStatements(active, submitted).flatMap(({ kind, before: previous, after }): SoleStatement[] => {
    const statement = kind === 'keep' ? previous : (after ?? previous)
    if (!statement) return []
    if (kind === 'keep') return [{ ...statement, kind }]
    return [{ ...statement, kind, id: `${statement.id}-${kind}`, replacesId: previous?.id ?? null }]
  })
  if (getChangedStatements(statements).length === 0) throw refuse(422, 'The draft changes nothing.')
  const authorFields = { author: 'You', authorKind: 'person' as const, decidedBy: null, editable: true }
  const draft = createSoleVersion(state.keeperId, version, statements, { status: 'draft', ...authorFields })
  state.soleVersions = [draft, ...state.soleVersions]
  return draft
})
on(sole.approve, (state, { body: { statementIds } = {} }) => {
  const draft = findVersion(state, 'draft')
  if (draft) {
    const approved = statementIds && new Set(statementIds)
    const statements = applyApproval(draft.statements, findVersion(state, 'active')?.statements ?? [], approved)
    const leftOut = getChangedStatements(draft.statements).filter(({ id }) => approved && !approved.has(id))
    supersedeActive(state)
    decide(state, draft, { status: 'active', statements, leftOut, content: joinStatements(statements) })
  }
  return createDemoKeeper(state)
})
on(sole.reject, (state, { body: { reason } = {} }) => {
  const draft = findVersion(state, 'draft')
  if (draft) decide(state, draft, { status: 'rejected', reason: reason || null })
  return createDemoKeeper(state)
})
on(sole.restore, (state, { params: { version } }) => {
  const earlier = state.soleVersions.find((candidate) => candidate.version === Number(version))
  if (earlier) {
    supersedeActive(state)
    const nextVersion = Math.max(...state.soleVersions.map((candidate) => candidate.version)) + 1
    const restored = { ...earlier, version: nextVersion, submittedAt: getNow() }
    state.soleVersions = [restored, ...state.soleVersions]
    decide(state, restored, { status: 'active', reason: `Restored from version ${version}` })
  }
  return createDemoKeeper(state)
})

const findVersion = ({ soleVersions }: DemoState, status: SoleVersion['status']) =>
  soleVersions.find((candidate) => candidate.status === status)

function supersedeActive(state: DemoState): void {
  state.soleVersions = state.soleVersions.map((candidate) =>
    candidate.status === 'active' ? { ...candidate, status: 'superseded' } : candidate,
  )
}

function decide(state: DemoState, target: SoleVersion, change: Partial<SoleVersion>): void {
  const decision = { decidedAt: getNow(), timestamp: getNow(), decidedBy: { id: 'you', name: 'You' }, editable: false }
  state.soleVersions = state.soleVersions.map((candidate) =>
    candidate.version === target.version ? { ...candidate, ...decision, ...change } : candidate,
  )
}
