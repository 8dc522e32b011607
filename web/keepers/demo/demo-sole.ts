import type { SoleSource, SoleStatement, SoleVersion, StatementKind } from '#contract/keepers/sole.ts'
import {
  applyApproval,
  diffStatements,
  getChangedStatements,
  splitSentences,
} from '#contract/keepers/sole-statements.ts'
import type { SoleBackend } from '../sole/sole-backend.ts'

const toTimestamp = (date: string) => `${date}T09:30:00.000Z`
const createCardSource = (id: string, quote: string, date: string): SoleSource => ({
  entity: 'card',
  id,
  quote,
  at: toTimestamp(date),
})
const createStatement = (
  id: string,
  text: string,
  sources: SoleSource[],
  [kind, replacesId]: [StatementKind, (string | null)?] = ['add'],
): SoleStatement => ({ id, text, kind, replacesId: replacesId ?? null, sources })

const harbourStatement = createStatement('s1', 'I walk to the harbour every morning before the coffee.', [
  createCardSource('sample-card-1', 'walked to the harbour again before the coffee, as every morning', '2026-01-18'),
])
const perStatement = createStatement('s2', 'Per and I share the flat above the bakery.', [
  createCardSource('sample-card-2', 'Per and I, above the bakery, with the smell of it at four', '2026-01-25'),
])
const choirStatement = createStatement('s3', 'I sing second alto in the choir on Thursdays.', [
  createCardSource('sample-card-3', 'second alto on Thursdays, and I would not trade it', '2026-02-02'),
])
const motherStatement = createStatement('s4', 'My mother waves at the bend, where I cannot see her.', [
  createCardSource('sample-card-4', 'She waved at the bend, where I could not see her', '2026-02-11'),
])

const draftStatements: SoleStatement[] = [
  { ...harbourStatement, kind: 'keep' },
  createStatement(
    's5',
    'Per and I shared the flat above the bakery until he moved to Bergen.',
    [
      createCardSource(
        'sample-card-5',
        'He moved to Bergen on the Wednesday, and the flat is mine to be quiet in',
        '2026-03-04',
      ),
    ],
    ['change', 's2'],
  ),
  createStatement(
    's6',
    'I sing second alto in the choir on Thursdays.',
    [createCardSource('sample-card-6', 'I told them I would not come back to the choir after Easter', '2026-03-12')],
    ['drop', 's3'],
  ),
  { ...motherStatement, kind: 'keep' },
  createStatement('s7', 'I decide slowly, and I do not go back on it.', [
    createCardSource('sample-card-7', 'It took me a month. I have not thought of it since.', '2026-03-15'),
    createCardSource('sample-card-5', 'the flat is mine to be quiet in', '2026-03-04'),
  ]),
]

const joinStatements = (statements: SoleStatement[]) =>
  statements
    .filter(({ kind }) => kind !== 'drop')
    .map(({ text }) => text)
    .join(' ')

function createVersion(
  keeperId: string,
  fields: Partial<SoleVersion> & Pick<SoleVersion, 'version' | 'statements'>,
): SoleVersion {
  const at = fields.decidedAt ?? fields.submittedAt ?? new Date().toISOString()
  return {
    keeperId,
    type: 'narrative',
    content: joinStatements(fields.statements),
    author: 'Platform Agent',
    authorKind: 'agent',
    timestamp: at,
    editable: false,
    status: 'superseded',
    runId: null,
    basedOn: null,
    submittedAt: at,
    decidedBy: { id: 'sample', name: 'Sample' },
    decidedAt: null,
    reason: null,
    leftOut: [],
    ...fields,
  }
}

const createDemoVersions = (keeperId: string) => [
  createVersion(keeperId, {
    version: 4,
    status: 'draft',
    statements: draftStatements,
    basedOn: 3,
    submittedAt: toTimestamp('2026-03-16'),
    decidedBy: null,
    editable: true,
  }),
  createVersion(keeperId, {
    version: 3,
    status: 'active',
    statements: [harbourStatement, perStatement, choirStatement, motherStatement],
    basedOn: 1,
    submittedAt: toTimestamp('2026-02-12'),
    decidedAt: toTimestamp('2026-02-13'),
    leftOut: [
      createStatement('s8', 'I am afraid of the ferry.', [
        createCardSource('sample-card-8', 'the ferry, which I do not like', '2026-02-10'),
      ]),
    ],
  }),
  createVersion(keeperId, {
    version: 2,
    status: 'rejected',
    statements: [
      createStatement('s9', 'I am a lonely person.', [
        createCardSource('sample-card-9', 'alone on the quay', '2026-01-30'),
      ]),
    ],
    basedOn: 1,
    submittedAt: toTimestamp('2026-02-01'),
    decidedAt: toTimestamp('2026-02-01'),
    reason: 'Alone is not lonely. Keep to what I said.',
  }),
  createVersion(keeperId, {
    version: 1,
    statements: [harbourStatement, perStatement],
    author: 'Sample',
    authorKind: 'person',
    submittedAt: toTimestamp('2026-01-26'),
    decidedAt: toTimestamp('2026-01-26'),
  }),
]

export function getDemoSoleDocuments(keeperId: string) {
  const [soleDraft, sole] = createDemoVersions(keeperId)
  return { sole: sole ?? null, soleDraft: soleDraft ?? null, soleSubmittedAt: soleDraft?.submittedAt ?? null }
}

/** A sample SOLE; decisions last while the page is open and are never sent. */
export function createDemoSole(keeperId: string): SoleBackend {
  let versions = createDemoVersions(keeperId)
  const getNow = () => new Date().toISOString()
  const findVersion = (status: SoleVersion['status']) => versions.find((candidate) => candidate.status === status)
  const decideVersion = (target: SoleVersion, change: Partial<SoleVersion>) => {
    const decision = { decidedAt: getNow(), decidedBy: { id: 'you', name: 'You' }, editable: false, ...change }
    versions = versions.map((candidate) =>
      candidate.version === target.version ? { ...candidate, ...decision } : candidate,
    )
  }
  const supersedeActive = () => {
    versions = versions.map((candidate) =>
      candidate.status === 'active' ? { ...candidate, status: 'superseded' as const } : candidate,
    )
  }
  const getNextVersion = () => Math.max(...versions.map((candidate) => candidate.version)) + 1

  return {
    fetchVersions: async () => ({ versions, next: null }),
    async submit(content) {
      const active = findVersion('active')?.statements ?? []
      const submittedStatements = splitSentences(content).map((text, index) =>
        createStatement(`own-${getNextVersion()}-${index}`, text, []),
      )
      const statements = diffStatements(active, submittedStatements).map(({ kind, before: previous, after }) =>
        kind === 'keep' && previous
          ? { ...previous, kind }
          : {
              ...(after ?? (previous as SoleStatement)),
              kind,
              id: `${after?.id ?? previous?.id}-${kind}`,
              replacesId: previous?.id ?? null,
            },
      )
      if (getChangedStatements(statements).length === 0) throw new Error('The draft changes nothing.')
      const authorFields = { author: 'You', authorKind: 'person' as const, decidedBy: null, editable: true }
      const draft = createVersion(keeperId, { version: getNextVersion(), status: 'draft', statements, ...authorFields })
      versions = [draft, ...versions]
      return draft.version
    },
    async approve(_version, statementIds) {
      const draft = findVersion('draft')
      if (!draft) return
      const approved = statementIds && new Set(statementIds)
      const statements = applyApproval(draft.statements, findVersion('active')?.statements ?? [], approved)
      const leftOut = getChangedStatements(draft.statements).filter(({ id }) => approved && !approved.has(id))
      supersedeActive()
      decideVersion(draft, {
        status: 'active',
        statements,
        leftOut,
        content: joinStatements(statements),
        timestamp: getNow(),
      })
    },
    async reject(_version, reason) {
      const draft = findVersion('draft')
      if (draft) decideVersion(draft, { status: 'rejected', reason: reason || null })
    },
    async restore(versionNumber) {
      const earlierVersion = versions.find((candidate) => candidate.version === versionNumber)
      if (!earlierVersion) return
      supersedeActive()
      const restoredFields = {
        submittedAt: getNow(),
        decidedAt: getNow(),
        timestamp: getNow(),
        decidedBy: { id: 'you', name: 'You' },
      }
      const reason = `Restored from version ${versionNumber}`
      versions = [
        { ...earlierVersion, ...restoredFields, version: getNextVersion(), status: 'active', reason },
        ...versions,
      ]
    },
  }
}
