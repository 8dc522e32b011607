import { useState } from 'react'
import type { SearchExcerpt } from '#contract/search/search-excerpt.ts'
import { findSearchMarks } from '#contract/search/search-excerpt.ts'
import { parseSearchQuery } from '#contract/search/search-query.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { HitItem } from './hit-item.tsx'

interface DocumentHit {
  id: string
  name: string
  type: string
  uploadedAt: string
  match: SearchExcerpt | undefined
}

const pageSize = 10

export function DocumentResults({ documents, query }: { documents: readonly DocumentHit[]; query: string }) {
  const [visibleCount, setVisibleCount] = useState(pageSize)
  const { required } = parseSearchQuery(query)
  return (
    <section aria-labelledby="found-documents" className="mt-8">
      <h2 id="found-documents" className="mb-3 text-h3">
        Documents in this browser
      </h2>
      <ol aria-label="Documents" className="flex flex-col gap-2.5">
        {documents.slice(0, visibleCount).map(({ id, name, type, uploadedAt, match }) => (
          <HitItem
            key={id}
            to={`/library?document=${encodeURIComponent(id)}`}
            title={name}
            titleMarks={findSearchMarks(name, required)}
            excerpt={match?.excerpt ?? ''}
            marks={match?.marks ?? []}
            badge={<Badge>{type}</Badge>}
            day={uploadedAt.slice(0, 10)}
          />
        ))}
      </ol>
      {documents.length > visibleCount && (
        <Button size="small" className="mt-4" onClick={() => setVisibleCount(visibleCount + pageSize)}>
          Show more
        </Button>
      )}
    </section>
  )
}
