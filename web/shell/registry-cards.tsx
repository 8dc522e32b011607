import type { UseQueryResult } from '@tanstack/react-query'
import { Copy, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '#web/api.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import type { Registry } from './registry-query.ts'

interface RegistryCardsProps {
  label: string
  query: UseQueryResult<Registry<unknown>>
  loadErrorText: string
  children: ReactNode
}

const gridClasses = 'grid grid-cols-[repeat(auto-fill,minmax(min(300px,100%),1fr))] gap-4'

export function RegistryCards({ label, query, loadErrorText, children }: RegistryCardsProps) {
  const { data, error, isPending, refetch, isRefetching } = query
  return (
    <>
      {data?.from === 'static' && (
        <Banner tone="warning" className="mb-4">
          The server can’t be reached. These are examples, and the counts aren’t yours.
        </Banner>
      )}
      {error && (
        <ErrorPanel
          reason={error}
          title={(error instanceof ApiError && error.serverMessage) || loadErrorText}
          onRetry={() => refetch()}
          retrying={isRefetching}
        />
      )}
      {isPending && (
        <SkeletonGroup className={gridClasses}>
          {[1, 2].map((card) => (
            <Skeleton key={card} className="h-44" />
          ))}
        </SkeletonGroup>
      )}
      <ul aria-label={label} className={gridClasses}>
        {children}
      </ul>
    </>
  )
}

interface RegistryCardActionsProps {
  name: string
  isOwner: boolean
  onEdit: () => void
  onDuplicate?: (() => void) | undefined
  onDelete: () => void
}

export function RegistryCardActions({ name, isOwner, onEdit, onDuplicate, onDelete }: RegistryCardActionsProps) {
  return (
    <>
      {isOwner && (
        <Button size="small" aria-label={`Edit ${name}`} onClick={onEdit} icon={<Pencil aria-hidden size={13} />}>
          Edit
        </Button>
      )}
      {onDuplicate && (
        <Button
          size="small"
          aria-label={`Duplicate ${name}`}
          onClick={onDuplicate}
          icon={<Copy aria-hidden size={13} />}
        >
          Duplicate
        </Button>
      )}
      {isOwner && (
        <IconButton size="small" label={`Delete ${name}`} onClick={onDelete}>
          <Trash2 aria-hidden size={15} />
        </IconButton>
      )}
    </>
  )
}
