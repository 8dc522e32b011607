import { lazy, Suspense } from 'react'
import type { FieldChange } from '#contract/agents/versions.ts'
import { fieldLabel, spokenValue } from './field-labels.ts'

const WordDiff = lazy(() => import('./word-diff.tsx'))
const shortText = 60

/** Changes per field: short values as before and after, long texts as a word diff. */
export function FieldChanges({ changes }: { changes: FieldChange[] }) {
  return (
    <dl className="flex flex-col gap-2 text-ui">
      {changes.map(({ field, before, after }) => (
        <div key={field} className="min-w-0">
          <dt className="text-small font-label text-muted-foreground">{fieldLabel(field)}</dt>
          <dd className="mt-0.5 wrap-anywhere">
            <Change before={before} after={after} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Change({ before, after }: { before: unknown; after: unknown }) {
  const [was, is] = [spokenValue(before), spokenValue(after)]
  if (was.length > shortText || is.length > shortText) {
    return (
      <Suspense fallback={<span className="whitespace-pre-wrap">{is}</span>}>
        <WordDiff before={before === undefined ? '' : was} after={after === undefined ? '' : is} />
      </Suspense>
    )
  }
  return (
    <>
      <del className="text-muted-foreground line-through decoration-1">{was}</del>
      <span aria-hidden className="mx-1.5 text-muted-foreground">
        →
      </span>
      <ins className="no-underline">{is}</ins>
    </>
  )
}
