import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { ApiError } from '#web/api/api.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { EntryListSkeleton, EntryLoadError } from '../entries/entry-parts.tsx'
import { useOneSource } from './source-queries.ts'
import { SourceReader } from './source-reader.tsx'

interface OpenedSourceProps {
  keeper: Keeper
  id: string
  messageId: string | null
  words: string
}

export function OpenedSource({ keeper, id, messageId, words }: OpenedSourceProps) {
  const [isDeleting, setIsDeleting] = useState(false)
  const { data, error, refetch, isRefetching } = useOneSource(keeper, id, isDeleting)
  const listPath = `/keeper/${encodeURIComponent(keeper.id)}/sources`
  if (data)
    return (
      <SourceReader
        source={data}
        openedId={messageId}
        openedWords={words}
        listPath={listPath}
        onDeleting={setIsDeleting}
      />
    )
  if (!error) return <EntryListSkeleton />
  if (error instanceof ApiError && error.status === 404)
    return (
      <EmptyPanel
        drawing="drawer"
        title="This source isn’t here"
        action={<LinkButton to={listPath}>Show the others</LinkButton>}
      >
        The source may have been deleted. Look in Recently deleted (kept for 30 days).
      </EmptyPanel>
    )
  return (
    <>
      <LinkButton to={listPath} variant="plain" size="small" icon={<ArrowLeft aria-hidden size={14} />}>
        All sources
      </LinkButton>
      <EntryLoadError title="Failed to fetch source" reason={error} onRetry={() => refetch()} retrying={isRefetching} />
    </>
  )
}
