import { Pencil, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { type Column, Table } from '#web/ui/panels/table.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { getMetadataPath } from '../keeper-addresses.ts'
import type { useKeepers } from '../keeper-queries.ts'
import { PatternBadge } from '../shelf/keeper-card.tsx'
import { getTypeName } from '../shelf/keeper-list-rules.ts'
import { KeepersLoadError, NoKeepers } from '../shelf/keeper-list-states.tsx'

interface KeeperRegistryProps {
  keepersQuery: ReturnType<typeof useKeepers>
  onEdit: (keeper: Keeper) => void
  onDelete: (keeper: Keeper) => void
}

const columns: Column<Keeper>[] = [
  {
    id: 'title',
    header: 'Keeper',
    rowHeader: true,
    cell: (keeper) => (
      <span className="block min-w-40">
        <Link to={getMetadataPath(keeper.id)} className="font-serif text-h3 font-medium wrap-anywhere hover:underline">
          {keeper.title}
        </Link>
        <span className="line-clamp-1 text-small font-book text-muted-foreground wrap-anywhere">{keeper.purpose}</span>
      </span>
    ),
  },
  { id: 'type', header: 'Type', cell: (keeper) => <Badge>{getTypeName(keeper)}</Badge>, wideOnly: true },
  {
    id: 'pattern',
    header: 'Memory pattern',
    cell: (keeper) => <PatternBadge keeper={keeper} />,
    wideOnly: true,
  },
  {
    id: 'journeys',
    header: 'Journeys',
    numeric: true,
    cell: (keeper) => keeper._count.Journey.toLocaleString('en-US'),
    wideOnly: true,
  },
  {
    id: 'entries',
    header: 'Entries',
    numeric: true,
    cell: (keeper) => keeper.entryCount?.toLocaleString('en-US'),
    wideOnly: true,
  },
  { id: 'updated', header: 'Last updated', cell: (keeper) => <Time value={keeper.updatedAt} />, wideOnly: true },
]

export function KeeperRegistry({ keepersQuery, onEdit, onDelete }: KeeperRegistryProps) {
  const { data: keepers, error, isPending, refetch, isRefetching } = keepersQuery
  return (
    <>
      {error && <KeepersLoadError error={error} onRetry={() => refetch()} retrying={isRefetching} className="mb-5" />}
      {isPending && (
        <SkeletonGroup className="flex flex-col gap-3">
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} className="h-11" />
          ))}
        </SkeletonGroup>
      )}
      {keepers?.length === 0 && <NoKeepers />}
      {keepers && keepers.length > 0 && (
        <Table
          label="Keepers"
          columns={columns}
          rows={keepers}
          rowKey={({ id }) => id}
          rowActions={(keeper) => (
            <>
              <IconButton label={`Edit ${keeper.title}`} size="small" onClick={() => onEdit(keeper)}>
                <Pencil aria-hidden size={15} />
              </IconButton>
              <IconButton label={`Delete ${keeper.title}`} size="small" onClick={() => onDelete(keeper)}>
                <Trash2 aria-hidden size={15} />
              </IconButton>
            </>
          )}
        />
      )}
    </>
  )
}
