import { lazy, Suspense } from 'react'
import type { FieldChange } from '#contract/agents/versions.ts'
import { formatValue, getFieldLabel } from './field-labels.ts'

const WordDiff = lazy(() => import('./word-diff.tsx'))
const maxInlineLength = 60

export function FieldChanges({ changes }: { changes: FieldChange[] }) {
  return (
    <dl className="flex flex-col gap-2 text-ui">
      {changes.map(({ field, before: previousValue, after: nextValue }) => (
        <div key={field} className="min-w-0">
          <dt className="text-small font-label text-muted-foreground">{getFieldLabel(field)}</dt>
          <dd className="mt-0.5 wrap-anywhere">
            <ValueChange previousValue={previousValue} nextValue={nextValue} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function ValueChange({ previousValue, nextValue }: { previousValue: unknown; nextValue: unknown }) {
  const [previousText, nextText] = [formatValue(previousValue), formatValue(nextValue)]
  if (previousText.length > maxInlineLength || nextText.length > maxInlineLength) {
    return (
      <Suspense fallback={<span className="whitespace-pre-wrap">{nextText}</span>}>
        <WordDiff
          previousText={previousValue === undefined ? '' : previousText}
          nextText={nextValue === undefined ? '' : nextText}
        />
      </Suspense>
    )
  }
  return (
    <>
      <del className="text-muted-foreground line-through decoration-1">{previousText}</del>
      <span aria-hidden className="mx-1.5 text-muted-foreground">
        →
      </span>
      <ins className="no-underline">{nextText}</ins>
    </>
  )
}
