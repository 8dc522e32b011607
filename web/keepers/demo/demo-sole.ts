import type { SoleSource, SoleStatement, SoleVersion, StatementKind } from '#contract/keepers/sole.ts'
import {
  applyApproval,
  diffStatements,
  getChangedStatements,
  splitSentences,
} from '#contract/keepers/sole-statements.ts'
import type { SoleBackend } from '../sole/sole-backend.ts'

const day = (date: string) => `${date}T09:30:00.000Z`
const card = (id: string, quote: string, date: string): SoleSource => ({ entity: 'card', id, quote, at: day(date) })
const statement = (
  id: string,
  text: string,
  sources: SoleSource[],
  [kind, replacesId]: [StatementKind, (string | null)?] = ['add'],
): SoleStatement => ({ id, text, kind, replacesId: replacesId ?? null, sources })

const harbour = statement('s1', 'I walk to the harbour every morning before the coffee.', [
  card('sample-card-1', 'walked to the harbour again before the coffee, as every morning', '2026-01-18'),
])
const per = statement('s2', 'Per and I share the flat above the bakery.', [
  card('sample-card-2', 'Per and I, above the bakery, with the smell of it at four', '2026-01-25'),
])
const choir = statement('s3', 'I sing second alto in the choir on Thursdays.', [
  card('sample-card-3', 'second alto on Thursdays, and I would not trade it', '2026-02-02'),
])
const mother = statement('s4', 'My mother waves at the bend, where I cannot see her.', [
  card('sample-card-4', 'She waved at the bend, where I could not see her', '2026-02-11'),
])

const drafted: SoleStatement[] = [
  { ...harbour, kind: 'keep' },
  statement(
    's5',
    'Per and I shared the flat above the bakery until he moved to Bergen.',
    [card('sample-card-5', 'He moved to Bergen on the Wednesday, and the flat is mine to be quiet in', '2026-03-04')],
    ['change', 's2'],
  ),
  statement(
    's6',
    'I sing second alto in the choir on Thursdays.',
    [card('sample-card-6', 'I told them I would not come back to the choir after Easter', '2026-03-12')],
    ['drop', 's3'],
  ),
  { ...mother, kind: 'keep' },
  statement('s7', 'I decide slowly, and I do not go back on it.', [
    card('sample-card-7', 'It took me a month. I have not thought of it since.', '2026-03-15'),
    card('sample-card-5', 'the flat is mine to be quiet in', '2026-03-04'),
  ]),
]

const joinStatements = (statements: SoleStatement[]) =>
  statements
    .filter(({ kind }) => kind !== 'drop')
    .map(({ text }) => text)
    .join(' ')

function version(
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
  version(keeperId, {
    version: 4,
    status: 'draft',
    statements: drafted,
    basedOn: 3,
    submittedAt: day('2026-03-16'),
    decidedBy: null,
    editable: true,
  }),
  version(keeperId, {
    version: 3,
    status: 'active',
    statements: [harbour, per, choir, mother],
    basedOn: 1,
    submittedAt: day('2026-02-12'),
    decidedAt: day('2026-02-13'),
    leftOut: [
      statement('s8', 'I am afraid of the ferry.', [
        card('sample-card-8', 'the ferry, which I do not like', '2026-02-10'),
      ]),
    ],
  }),
  version(keeperId, {
    version: 2,
    status: 'rejected',
    statements: [statement('s9', 'I am a lonely person.', [card('sample-card-9', 'alone on the quay', '2026-01-30')])],
    basedOn: 1,
    submittedAt: day('2026-02-01'),
    decidedAt: day('2026-02-01'),
    reason: 'Alone is not lonely. Keep to what I said.',
  }),
  version(keeperId, {
    version: 1,
    statements: [harbour, per],
    author: 'Sample',
    authorKind: 'person',
    submittedAt: day('2026-01-26'),
    decidedAt: day('2026-01-26'),
  }),
]

export function demoSoleDocuments(keeperId: string) {
  const [soleDraft, sole] = createDemoVersions(keeperId)
  return { sole: sole ?? null, soleDraft: soleDraft ?? null, soleSubmittedAt: soleDraft?.submittedAt ?? null }
}

/** A sample SOLE; decisions last while the page is open and are never sent. */
export function demoSole(keeperId: string): SoleBackend {
  let versions = createDemoVersions(keeperId)
  const now = () => new Date().toISOString()
  const find = (status: SoleVersion['status']) => versions.find((one) => one.status === status)
  const decide = (which: SoleVersion, change: Partial<SoleVersion>) => {
    const decided = { decidedAt: now(), decidedBy: { id: 'you', name: 'You' }, editable: false, ...change }
    versions = versions.map((one) => (one.version === which.version ? { ...one, ...decided } : one))
  }
  const supersede = () => {
    versions = versions.map((one) => (one.status === 'active' ? { ...one, status: 'superseded' as const } : one))
  }
  const next = () => Math.max(...versions.map((one) => one.version)) + 1

  return {
    versions: async () => ({ versions, next: null }),
    async submit(content) {
      const active = find('active')?.statements ?? []
      const submittedStatements = splitSentences(content).map((text, index) =>
        statement(`own-${next()}-${index}`, text, []),
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
      const author = { author: 'You', authorKind: 'person' as const, decidedBy: null, editable: true }
      const draft = version(keeperId, { version: next(), status: 'draft', statements, ...author })
      versions = [draft, ...versions]
      return draft.version
    },
    async approve(_version, statementIds) {
      const draft = find('draft')
      if (!draft) return
      const approved = statementIds && new Set(statementIds)
      const statements = applyApproval(draft.statements, find('active')?.statements ?? [], approved)
      const leftOut = getChangedStatements(draft.statements).filter(({ id }) => approved && !approved.has(id))
      supersede()
      decide(draft, { status: 'active', statements, leftOut, content: joinStatements(statements), timestamp: now() })
    },
    async reject(_version, reason) {
      const draft = find('draft')
      if (draft) decide(draft, { status: 'rejected', reason: reason || null })
    },
    async restore(versionNumber) {
      const earlier = versions.find((one) => one.version === versionNumber)
      if (!earlier) return
      supersede()
      const at = { submittedAt: now(), decidedAt: now(), timestamp: now(), decidedBy: { id: 'you', name: 'You' } }
      const reason = `Restored from version ${versionNumber}`
      versions = [{ ...earlier, ...at, version: next(), status: 'active', reason }, ...versions]
    },
  }
}
