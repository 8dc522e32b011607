import type { UseQueryResult } from '@tanstack/react-query'
import { Copy, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { getServerMessage } from '#web/api/api.ts'
import { QueryError } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'

interface CatalogCardsProps {
  label: string
  query: UseQueryResult<unknown>
  loadErrorText?: string
  children: ReactNode
}

const gridClasses = 'grid grid-cols-[repeat(auto-fill,minmax(min(18.75rem,100%),1fr))] gap-4'

export function CatalogCards({
  label,
  query,
  loadErrorText = `Failed to load ${label.toLowerCase()}`,
  children,
}: CatalogCardsProps) {
  return (
    <>
      <QueryError reportsRefetch className="mb-4" query={query} title={getServerMessage(query.error) ?? loadErrorText}>
        Nothing you wrote is affected.
      </QueryError>
      {query.isPending && (
        <SkeletonGroup className={gridClasses}>
          {[1, 2, 3].map((card) => (
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

interface CatalogCardProps {
  name: string
  description: string
  system: boolean
  seal?: ReactNode
  /** How many use it, as in "3 keepers"; absent in a preview. */
  usage?: { count: number; noun: string } | undefined
  actions?: ReactNode
  children: ReactNode
}

export function CatalogCard({ name, description, system, seal, usage, actions, children }: CatalogCardProps) {
  return (
    <Card className="flex h-full w-full flex-col gap-2">
      <div className={classNames('flex items-start', seal ? 'gap-3' : 'gap-2')}>
        {seal}
        <h2 className="min-w-0 flex-1 text-h3 wrap-break-word">{name || 'No name yet'}</h2>
        <Badge tone={system ? 'neutral' : 'info'}>{system ? 'System' : 'Custom'}</Badge>
      </div>
      {description && (
        <p className="text-ui text-muted-foreground whitespace-pre-line wrap-break-word">{description}</p>
      )}
      {children}
      {(usage || actions) && (
        <div className="mt-auto flex flex-wrap items-center gap-2 pt-1">
          {usage && (
            <span className="flex-1 text-small">
              <strong className="tabular-nums">{usage.count}</strong> {usage.noun}
              {usage.count !== 1 && 's'}
            </span>
          )}
          {actions}
        </div>
      )}
    </Card>
  )
}

export interface CardActionsProps {
  name: string
  isOwner: boolean
  onEdit: () => void
  onDuplicate?: (() => void) | undefined
  onDelete: () => void
}

export function CardActions({ name, isOwner, onEdit, onDuplicate, onDelete }: CardActionsProps) {
  return (
    <>
      {isOwner && (
        <Button size="small" aria-label={`Edit ${name}`} onClick={onEdit} icon={<Pencil aria-hidden size={13} />}>
          Edit
        </Button>
      )}
      {onDuplicate &&
        (isOwner ? (
          <IconButton size="small" label={`Duplicate ${name}`} onClick={onDuplicate}>
            <Copy aria-hidden size={15} />
          </IconButton>
        ) : (
          <Button
            size="small"
            aria-label={`Duplicate ${name}`}
            onClick={onDuplicate}
            icon={<Copy aria-hidden size={13} />}
          >
            Duplicate
          </Button>
        ))}
      {isOwner && (
        <IconButton size="small" label={`Delete ${name}`} onClick={onDelete}>
          <Trash2 aria-hidden size={15} />
        </IconButton>
      )}
    </>
  )
}
