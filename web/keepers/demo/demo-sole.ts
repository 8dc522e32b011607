import { type SoleStatement, type SoleVersion, sole } from '#contract/keepers/sole.ts'
import {
  applyApproval,
  diffStatements,
  getChangedStatements,
  splitSentences,
} from '#contract/keepers/sole-statements.ts'
import { createDemoError, getNow, onDemoCall } from './demo-answers.ts'
import { createDemoKeeper, createSoleVersion, type DemoState, joinStatements } from './demo-state.ts'

onDemoCall(sole.versions, ({ soleVersions }) => soleVersions)
onDemoCall(sole.submitDraft, (state, { body: { content = '' } = {} }) => {
  const version = Math.max(...state.soleVersions.map((candidate) => candidate.version)) + 1
  const activeStatements = findVersion(state, 'active')?.statements ?? []
  const submittedStatements = splitSentences(content).map(
    (text, index): SoleStatement => ({
      id: `own-${version}-${index}`,
      text,
      kind: 'add',
      replacesId: null,
      sources: [],
    }),
  )
  const diff = diffStatements(activeStatements, submittedStatements)
  const statements = diff.flatMap(({ kind, before: previous, after }): SoleStatement[] => {
    const statement = kind === 'keep' ? previous : (after ?? previous)
    if (!statement) return []
    if (kind === 'keep') return [{ ...statement, kind }]
    return [{ ...statement, kind, id: `${statement.id}-${kind}`, replacesId: previous?.id ?? null }]
  })
  if (getChangedStatements(statements).length === 0) throw createDemoError(422, 'The draft changes nothing.')
  const authorFields = { author: 'You', authorKind: 'person' as const, decidedBy: null, editable: true }
  const draft = createSoleVersion(state.keeperId, version, statements, { status: 'draft', ...authorFields })
  state.soleVersions = [draft, ...state.soleVersions]
  return draft
})
onDemoCall(sole.approve, (state, { body: { statementIds } = {} }) => {
  const draft = findVersion(state, 'draft')
  if (draft) {
    const approvedIds = statementIds && new Set(statementIds)
    const statements = applyApproval(draft.statements, findVersion(state, 'active')?.statements ?? [], approvedIds)
    const leftOut = getChangedStatements(draft.statements).filter(({ id }) => approvedIds && !approvedIds.has(id))
    supersedeActive(state)
    decide(state, draft, { status: 'active', statements, leftOut, content: joinStatements(statements) })
  }
  return createDemoKeeper(state)
})
onDemoCall(sole.reject, (state, { body: { reason } = {} }) => {
  const draft = findVersion(state, 'draft')
  if (draft) decide(state, draft, { status: 'rejected', reason: reason || null })
  return createDemoKeeper(state)
})
onDemoCall(sole.restore, (state, { params: { version } }) => {
  const earlierVersion = state.soleVersions.find((candidate) => candidate.version === Number(version))
  if (earlierVersion) {
    supersedeActive(state)
    const nextVersion = Math.max(...state.soleVersions.map((candidate) => candidate.version)) + 1
    const restoredVersion = { ...earlierVersion, version: nextVersion, submittedAt: getNow() }
    state.soleVersions = [restoredVersion, ...state.soleVersions]
    decide(state, restoredVersion, { status: 'active', reason: `Restored from version ${version}` })
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
