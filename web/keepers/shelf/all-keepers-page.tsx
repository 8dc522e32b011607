import { Plus } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useViewMode } from '#web/page/view-mode-provider.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { FilterChips } from '#web/ui/controls/filter-chips.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { newKeeperPath } from '../keeper-addresses.ts'
import { useKeepers } from '../keeper-queries.ts'
import { KeeperCard, KeeperListSkeleton, KeepersStatus, NoKeepers } from './keeper-card.tsx'
import { filterKeepers, formatKeeperCount, listTypeNames } from './keeper-list-rules.ts'
import { useDeleteKeeper } from './use-delete-keeper.tsx'

const keeperPageSize = 60

export function AllKeepersPage() {
  const keepersQuery = useKeepers()
  const { data: keepers } = keepersQuery
  const { mode } = useViewMode()
  const [searchText, setSearchText] = useState('')
  const [typeName, setTypeName] = useState('')
  const [visibleCount, setVisibleCount] = useState(keeperPageSize)
  const deferredSearchText = useDeferredValue(searchText)
  const removal = useDeleteKeeper()
  const typeNames = listTypeNames(keepers ?? [])
  const chosenType = typeNames.includes(typeName) ? typeName : ''
  const matchingKeepers = filterKeepers(keepers ?? [], deferredSearchText, chosenType)

  return (
    <>
      <PageHeader
        title="All Keepers"
        subtitle={
          keepers?.length
            ? `${formatKeeperCount(keepers.length)} Open one to continue where you left off.`
            : 'A keeper holds one part of a life: a house, a year, a piece of work.'
        }
        actions={
          <>
            <LinkButton to="/keeper/transfer" variant="plain">
              Export and import
            </LinkButton>
            <LinkButton to="/keeper/bin" variant="plain">
              Recently deleted
            </LinkButton>
            <LinkButton
              to={newKeeperPath}
              variant="primary"
              aria-keyshortcuts="N"
              icon={<Plus aria-hidden size={15} />}
            >
              New Keeper
            </LinkButton>
          </>
        }
      />
      <KeepersStatus query={keepersQuery} skeleton={<KeeperListSkeleton />} />
      {keepers?.length === 0 && <NoKeepers />}
      {keepers && keepers.length > 0 && (
        <>
          <div className="mb-7 flex flex-wrap items-center gap-3">
            <SearchField
              label="Search title or purpose"
              value={searchText}
              onValueChange={setSearchText}
              className="w-75 max-w-full phone:w-full"
            />
            <FilterChips
              label="Keeper type"
              options={[{ value: '', label: 'All types' }, ...typeNames.map((name) => ({ value: name, label: name }))]}
              value={chosenType}
              onValueChange={setTypeName}
            />
          </div>
          <p role="status" className="sr-only">
            {matchingKeepers.length === keepers.length
              ? ''
              : `${matchingKeepers.length} of ${keepers.length} keepers match.`}
          </p>
          {matchingKeepers.length === 0 ? (
            <EmptyPanel
              drawing="drawer"
              title="No keepers match"
              action={
                <Button
                  onClick={() => {
                    setSearchText('')
                    setTypeName('')
                  }}
                >
                  Clear
                </Button>
              }
            >
              Try other words or another type.
            </EmptyPanel>
          ) : (
            <ul
              aria-label="Keepers"
              className="grid grid-cols-[repeat(auto-fill,minmax(min(21.25rem,100%),1fr))] gap-x-8 gap-y-9"
            >
              {matchingKeepers.slice(0, visibleCount).map((keeper) => (
                <KeeperCard
                  key={keeper.id}
                  keeper={keeper}
                  isArchitect={mode === 'Architect'}
                  onDelete={removal.confirmDelete}
                />
              ))}
            </ul>
          )}
          {matchingKeepers.length > visibleCount && (
            <p className="mt-8 text-center">
              <Button onClick={() => setVisibleCount(visibleCount + keeperPageSize)}>
                Show {Math.min(keeperPageSize, matchingKeepers.length - visibleCount)} more
              </Button>
            </p>
          )}
        </>
      )}
      {removal.dialog}
    </>
  )
}
