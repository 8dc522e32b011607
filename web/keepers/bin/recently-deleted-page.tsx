import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { entityNames } from '#contract/keepers/entity-names.ts'
import { entries, type TrashedEntry } from '#contract/keepers/entries.ts'
import { call } from '#web/api/api.ts'
import { readPages } from '#web/api/api-pages.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { BackLink, PageHeader } from '#web/ui/panels/page-header.tsx'
import { dayMs } from '#web/ui/text/days.ts'
import { Time } from '#web/ui/text/time.tsx'
import { keepersKey, useKeepers } from '../keeper-queries.ts'

export function RecentlyDeletedPage() {
  const queryClient = useQueryClient()
  // Keys of items being restored, or restored but still in the cached list.
  const [restoringKeys, setRestoringKeys] = useState<readonly string[]>([])
  const [restoredItem, setRestoredItem] = useState<TrashedEntry>()
  const [failure, setFailure] = useState<string>()
  const keepers = useKeepers()
  const result = useQuery({
    queryKey: [...keepersKey, 'trash'],
    queryFn: async ({ signal }) => (await readPages<TrashedEntry[]>(entries.trash, {}, signal)).flat(),
  })
  const { data: trashedItems } = result
  const { visible: visibleItems, showMoreButton } = useLimitedList(trashedItems ?? [], {
    initialVisible: 50,
    className: 'mt-4',
  })
  const restore = useMutation({
    mutationFn: ({ entity, id }: TrashedEntry) => call(entries.restore, { params: { entity, id } }),
    onMutate: () => setFailure(undefined),
    onError: (reason, item) => {
      setFailure(reason.message)
      setRestoringKeys((previous) => previous.filter((key) => key !== getDeletionKey(item)))
    },
    onSuccess: async (_, item) => {
      setRestoredItem(item)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keepersKey }),
        queryClient.invalidateQueries({ queryKey: ['keeper'] }),
      ])
    },
  })
  function restoreItem(item: TrashedEntry) {
    setRestoringKeys([...restoringKeys, getDeletionKey(item)])
    setRestoredItem(undefined)
    restore.mutate(item)
  }
  const getKeeperTitle = (id: string) =>
    keepers.data?.find((keeper) => keeper.id === id)?.title ??
    trashedItems?.find((item) => item.entity === 'keeper' && item.id === id)?.title

  return (
    <>
      <PageHeader
        title="Recently deleted"
        subtitle="Deleted entries stay here for 30 days, then they’re gone for good."
        actions={<BackLink to="/keeper">Back to Keepers</BackLink>}
      />
      {restoredItem && (
        <Banner key={`${restoredItem.id} ${restore.submittedAt}`} tone="success" className="mb-4">
          {entityNames[restoredItem.entity]} was restored.
        </Banner>
      )}
      {failure && (
        <Banner tone="error" className="mb-4" onDismiss={() => setFailure(undefined)}>
          {failure}
        </Banner>
      )}
      <QueryStatus query={result} skeletonClassName="h-64">
        Your deleted entries are still there.
      </QueryStatus>
      {trashedItems?.length === 0 && (
        <EmptyPanel drawing="drawer" title="No deleted entries">
          You can restore deleted entries and keepers from here.
        </EmptyPanel>
      )}
      <ul className="flex flex-col gap-2.5">
        {visibleItems.map((item) => (
          <li
            key={`${item.entity} ${item.id}`}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-border bg-card px-4 py-3"
          >
            <div className="min-w-0 flex-1 basis-64">
              <p dir="auto" className="line-clamp-2 font-serif text-[1rem] wrap-break-word">
                {item.title}
              </p>
              <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-muted-foreground">
                <Badge>{entityNames[item.entity]}</Badge>
                {item.entity !== 'keeper' && getKeeperTitle(item.keeperId)}
                <span>
                  Deleted <Time value={item.deletedAt} />
                </span>
                <span>{formatDaysLeft(item.goneAt)}</span>
              </p>
            </div>
            <Button
              icon={<Undo2 aria-hidden size={14} />}
              aria-label={`Restore ${entityNames[item.entity].toLowerCase()} ${item.title}`}
              busy={restoringKeys.includes(getDeletionKey(item))}
              onClick={() => restoreItem(item)}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
      {showMoreButton}
    </>
  )
}

// Includes deletedAt so that an item deleted again can be restored again.
const getDeletionKey = ({ entity, id, deletedAt }: TrashedEntry) => `${entity} ${id} ${deletedAt}`

function formatDaysLeft(purgeAt: string): string {
  const daysLeft = Math.ceil((Date.parse(purgeAt) - Date.now()) / dayMs)
  return daysLeft <= 1 ? 'Deleted for good within a day' : `${daysLeft} days left`
}
