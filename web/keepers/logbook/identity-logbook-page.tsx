import { useMutation } from '@tanstack/react-query'
import { Download, PenLine } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { fetchFile, getServerMessage } from '#web/api/api.ts'
import { saveFile } from '#web/files/save-file.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { FilterChips } from '#web/ui/controls/filter-chips.tsx'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { listCategories, listTags, logbookKind } from '../entries/entry-kinds.ts'
import { EntryListPage, LongList } from '../entries/entry-parts.tsx'
import { useJourneys } from '../journeys/journey-queries.ts'
import { KeeperFrame } from '../keeper-frame.tsx'
import { LogbookCard, LogbookYears } from './logbook-card.tsx'
import { LogbookForm } from './logbook-form.tsx'
import { RenameDialog } from './rename-dialog.tsx'

export function IdentityLogbookPage() {
  return (
    <KeeperFrame pageName="Identity Logbook" subtitle="Who you were, entry by entry and year by year.">
      {(keeper) => <IdentityLogbook key={keeper.id} keeper={keeper} />}
    </KeeperFrame>
  )
}

function IdentityLogbook({ keeper }: { keeper: Keeper }) {
  const { data: journeys = [] } = useJourneys(keeper)
  const [view, setView] = useState<'entries' | 'years'>('entries')
  const [category, setCategory] = useState('')
  const [tag, setTag] = useState('')
  const [isRenaming, setIsRenaming] = useState(false)
  const linkedId = useSearchParams()[0].get('entry')
  const getJourneyName = (id: string) => journeys.find((journey) => journey.id === id)?.title
  return (
    <EntryListPage
      kind={logbookKind}
      keeper={keeper}
      addLabel="Add Logbook Entry"
      Form={LogbookForm}
      renderCard={(card) => <LogbookCard getJourneyName={getJourneyName} {...card} />}
      getStats={(entries) => [
        { label: 'Total Entries', value: entries.length },
        { label: 'Categories', value: listCategories(entries).length },
        { label: 'Tags', value: listTags(entries).length },
      ]}
      renderActions={({ entries, entryList, addButton }) => (
        <div data-chrome className="flex flex-wrap gap-2 phone:w-full phone:*:grow">
          {!entryList.isDemo && entries.length > 0 && (
            <>
              <Button icon={<PenLine aria-hidden size={14} />} onClick={() => setIsRenaming(true)}>
                Rename or merge
              </Button>
              <ExportMenu keeperId={keeper.id} />
            </>
          )}
          {addButton}
        </div>
      )}
    >
      {({ entries, addButton, renderEntry }) => {
        const usedNames = { category: listCategories(entries), tag: listTags(entries) }
        // A selected category or tag can have been renamed or deleted since.
        const activeCategory = usedNames.category.includes(category) ? category : ''
        const activeTag = usedNames.tag.includes(tag) ? tag : ''
        const visibleEntries = entries.filter(
          (entry) =>
            (activeCategory === '' || entry.category === activeCategory) &&
            (activeTag === '' || entry.tags.includes(activeTag)),
        )
        return (
          <>
            {entries.length === 0 ? (
              addButton && (
                <EmptyPanel drawing="leaf" title="No logbook entries yet" action={addButton}>
                  Write down who you are today, in one part of your life.
                </EmptyPanel>
              )
            ) : (
              <>
                <div data-chrome className="mb-4 flex flex-col gap-2">
                  <FilterChips
                    label="Category"
                    value={activeCategory}
                    onValueChange={setCategory}
                    options={toFilterOptions('All categories', usedNames.category)}
                  />
                  {usedNames.tag.length > 0 && (
                    <FilterChips
                      label="Tag"
                      value={activeTag}
                      onValueChange={setTag}
                      options={toFilterOptions('All tags', usedNames.tag)}
                    />
                  )}
                </div>
                <Tabs<'entries' | 'years'>
                  label="Identity logbook"
                  value={view}
                  onValueChange={setView}
                  tabs={[
                    { id: 'entries', label: 'Entries', count: visibleEntries.length },
                    { id: 'years', label: 'Year by year' },
                  ]}
                >
                  {visibleEntries.length === 0 && <EmptyPanel title="No entries match both filters." />}
                  {view === 'years' ? (
                    <LogbookYears entries={visibleEntries} />
                  ) : (
                    <LongList
                      label="Logbook entries"
                      entries={visibleEntries}
                      linkedId={linkedId}
                      className="grid gap-5 desk:grid-cols-2"
                    >
                      {renderEntry}
                    </LongList>
                  )}
                </Tabs>
              </>
            )}
            {isRenaming && (
              <RenameDialog keeperId={keeper.id} usedNames={usedNames} onClose={() => setIsRenaming(false)} />
            )}
          </>
        )
      }}
    </EntryListPage>
  )
}

const toFilterOptions = (allLabel: string, names: readonly string[]) => [
  { value: '', label: allLabel },
  ...names.map((value) => ({ value, label: value })),
]

function ExportMenu({ keeperId }: { keeperId: string }) {
  const [failure, setFailure] = useState<Error>()
  const exportLogbook = useMutation({
    async mutationFn(format: 'md' | 'json') {
      const { blob, name } = await fetchFile(logbook.exportEntries, { params: { id: keeperId }, query: { format } })
      saveFile(blob, name ?? `identity-logbook.${format}`)
    },
    onMutate: () => setFailure(undefined),
    onError: setFailure,
  })

  return (
    <>
      <Menu trigger={<Button icon={<Download aria-hidden size={14} />}>Export</Button>}>
        <MenuItem onSelect={() => exportLogbook.mutate('md')}>Markdown</MenuItem>
        <MenuItem onSelect={() => exportLogbook.mutate('json')}>JSON</MenuItem>
      </Menu>
      {failure && (
        <Banner tone="error" onDismiss={() => setFailure(undefined)}>
          The logbook couldn’t be exported: {getServerMessage(failure) ?? 'The server couldn’t be reached.'}
        </Banner>
      )}
    </>
  )
}
