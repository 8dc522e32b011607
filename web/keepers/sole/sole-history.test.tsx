import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { SoleVersion } from '#contract/keepers/sole.ts'
import { SoleHistory } from './sole-history.tsx'
import type { Sole } from './use-sole.ts'

const at = '2026-01-02T03:04:05.000Z'

function renderHistory(version: Partial<SoleVersion>): string {
  const soleVersion: SoleVersion = {
    keeperId: 'k',
    version: 1,
    type: 'narrative',
    content: 'I stay.',
    statements: [],
    leftOut: [],
    author: 'An agent',
    authorKind: 'agent',
    runId: null,
    basedOn: null,
    editable: false,
    reason: null,
    status: 'superseded',
    submittedAt: at,
    timestamp: at,
    decidedAt: at,
    decidedBy: null,
    ...version,
  }
  const sole = { versions: [soleVersion], draft: undefined, list: { hasNextPage: false } } as unknown as Sole
  return renderToStaticMarkup(<SoleHistory sole={sole} openVersion={undefined} />)
}

test('an approved earlier version can be restored', () => {
  expect(renderHistory({})).toContain('Restore<')
})

test('an imported version without a decision cannot be restored', () => {
  const history = renderHistory({ decidedAt: null, reason: 'This version was still undecided when it was exported.' })
  expect(history).toContain('Version 1')
  expect(history).not.toContain('Restore')
})
