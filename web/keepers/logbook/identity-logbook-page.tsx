import { Download, PenLine, Plus } from 'lucide-react'
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
import {
  DemoNote,
  EntryListHeader,
  EntryListSkeleton,
  EntryLoadError,
  LongList,
  useOpenForm,
} from '../entries/entry-parts.tsx'
import { useEntryList } from '../entries/use-entry-list.ts'
import { useJourneys } from '../journeys/journey-queries.ts'
import { KeeperFrame } from '../keeper-frame.tsx'
import { LogbookCard, LogbookYears } from './logbook-card.tsx'
import { LogbookForm } from './logbook-form.tsx'
import { RenameDialog } from './rename-dialog.tsx'

export function IdentityLogbookPage() {
  return (
    <KeeperFrame pageName="Identity Logbook" getSubtitle={() => 'Who you were, entry by entry and year by year.'}>
      {(keeper) => <IdentityLogbook key={keeper.id} keeper={keeper} />}
    </KeeperFrame>
  )
}

const allOption = { value: '', label: 'All' }

function IdentityLogbook({ keeper }: { keeper: Keeper }) {
  const entryList = useEntryList(logbookKind, keeper)
  const { data: journeys = [] } = useJourneys(keeper)
  const [view, setView] = useState<'entries' | 'years'>('entries')
  const [category, setCategory] = useState('')
  const [tag, setTag] = useState('')
  const [openForm, showForm, closeForm] = useOpenForm()
  const [isRenaming, setIsRenaming] = useState(false)
  const { entries } = entryList
  const linkedId = useSearchParams()[0].get('entry')
  if (!entries)
    return entryList.error ? (
      <EntryLoadError
        title={logbookKind.errorTitles.fetch}
        reason={entryList.error}
        onRetry={entryList.retry}
        retrying={entryList.isRetrying}
      />
    ) : (
      <EntryListSkeleton />
    )
  const usedNames = { category: listCategories(entries), tag: listTags(entries) }
  // A selected category or tag may have been renamed or deleted.
  const activeCategory = usedNames.category.includes(category) ? category : ''
  const activeTag = usedNames.tag.includes(tag) ? tag : ''
  const visibleEntries = entries.filter(
    (entry) =>
      (activeCategory === '' || entry.category === activeCategory) &&
      (activeTag === '' || entry.tags.includes(activeTag)),
  )
  const addButton = (
    <Button variant="primary" data-opens="new" icon={<Plus aria-hidden size={15} />} onClick={() => showForm('new')}>
      Add Logbook Entry
    </Button>
  )
  return (
    <>
      {entryList.demo && <DemoNote />}
      <EntryListHeader
        stats={[
          { label: 'Total Entries', value: entries.length },
          { label: 'Categories', value: usedNames.category.length },
          { label: 'Tags', value: usedNames.tag.length },
        ]}
      >
        <div data-chrome className="flex flex-wrap gap-2">
          {!entryList.demo && entries.length > 0 && (
            <>
              <Button icon={<PenLine aria-hidden size={14} />} onClick={() => setIsRenaming(true)}>
                Rename or merge
              </Button>
              <ExportMenu keeperId={keeper.id} />
            </>
          )}
          {openForm !== 'new' && addButton}
        </div>
      </EntryListHeader>
      {openForm === 'new' && <LogbookForm keeper={keeper} entryList={entryList} entry={null} onClose={closeForm} />}
      {entries.length === 0 ? (
        openForm !== 'new' && (
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
              options={[
                { ...allOption, label: 'All categories' },
                ...usedNames.category.map((value) => ({ value, label: value })),
              ]}
            />
            {usedNames.tag.length > 0 && (
              <FilterChips
                label="Tag"
                value={activeTag}
                onValueChange={setTag}
                options={[
                  { ...allOption, label: 'All tags' },
                  ...usedNames.tag.map((value) => ({ value, label: value })),
                ]}
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
                className="grid items-start gap-5 desk:grid-cols-2"
              >
                {(entry) =>
                  openForm === entry.id ? (
                    <LogbookForm keeper={keeper} entryList={entryList} entry={entry} onClose={closeForm} />
                  ) : (
                    <LogbookCard
                      entry={entry}
                      entryList={entryList}
                      getJourneyName={(id) => journeys.find((journey) => journey.id === id)?.title}
                      onEdit={() => showForm(entry.id)}
                    />
                  )
                }
              </LongList>
            )}
          </Tabs>
        </>
      )}
      {isRenaming && <RenameDialog keeperId={keeper.id} usedNames={usedNames} onClose={() => setIsRenaming(false)} />}
    </>
  )
}

function ExportMenu({ keeperId }: { keeperId: string }) {
  const [problem, setProblem] = useState<string>()

  async function save(format: 'md' | 'json') {
    setProblem(undefined)
    try {
      const { blob, name } = await fetchFile(logbook.exportEntries, { params: { id: keeperId }, query: { format } })
      saveFile(blob, name ?? `identity-logbook.${format}`)
    } catch (reason) {
      setProblem(getServerMessage(reason) ?? 'The server couldn’t be reached.')
    }
  }

  return (
    <>
      <Menu trigger={<Button icon={<Download aria-hidden size={14} />}>Export</Button>}>
        <MenuItem onSelect={() => void save('md')}>Markdown</MenuItem>
        <MenuItem onSelect={() => void save('json')}>JSON</MenuItem>
      </Menu>
      {problem && (
        <Banner tone="error" onDismiss={() => setProblem(undefined)}>
          The logbook couldn’t be exported: {problem}
        </Banner>
      )}
    </>
  )
}
