import { Download, PenLine, Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { ApiError, fetchFile } from '#web/api.ts'
import { saveFile } from '#web/save-file.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { FilterChips } from '#web/ui/filter-chips.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { DemoNote, EntryListHead, EntryListSkeleton, EntryLoadError } from '../entries/entry-parts.tsx'
import { LongList } from '../entries/long-list.tsx'
import { useEntryList } from '../entries/use-entry-list.ts'
import { useWriting } from '../entries/use-writing.ts'
import { useJourneys } from '../journeys/journey-queries.ts'
import { KeeperFrame } from '../keeper-frame.tsx'
import { LogbookCard } from './logbook-card.tsx'
import { LogbookForm } from './logbook-form.tsx'
import { listCategories, listTags, logbookKind } from './logbook-kind.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { Years } from './years.tsx'

export function IdentityLogbookPage() {
  return (
    <KeeperFrame pageName="Identity Logbook" sub={() => 'Who you were, entry by entry and year by year.'}>
      {(keeper) => <IdentityLogbook key={keeper.id} keeper={keeper} />}
    </KeeperFrame>
  )
}

const all = { value: '', label: 'All' }

function IdentityLogbook({ keeper }: { keeper: Keeper }) {
  const open = useEntryList(logbookKind, keeper)
  const { data: journeys = [] } = useJourneys(keeper)
  const [view, setView] = useState<'entries' | 'years'>('entries')
  const [category, setCategory] = useState('')
  const [tag, setTag] = useState('')
  const [writing, startWriting, close] = useWriting()
  const [renames, setRenames] = useState(false)
  const { entries } = open
  const named = useSearchParams()[0].get('entry')
  if (!entries)
    return open.error ? (
      <EntryLoadError
        title={logbookKind.failures.fetch}
        reason={open.error}
        onRetry={open.retry}
        retrying={open.isRetrying}
      />
    ) : (
      <EntryListSkeleton />
    )
  const usedNames = { category: listCategories(entries), tag: listTags(entries) }
  // A selected category or tag may have been renamed or deleted.
  const ofCategory = usedNames.category.includes(category) ? category : ''
  const ofTag = usedNames.tag.includes(tag) ? tag : ''
  const visibleEntries = entries.filter(
    (entry) => (ofCategory === '' || entry.category === ofCategory) && (ofTag === '' || entry.tags.includes(ofTag)),
  )
  const add = (
    <Button
      variant="primary"
      data-opens="new"
      icon={<Plus aria-hidden size={15} />}
      onClick={() => startWriting('new')}
    >
      Add Logbook Entry
    </Button>
  )
  return (
    <>
      {open.demo && <DemoNote />}
      <EntryListHead
        stats={[
          { label: 'Total Entries', value: entries.length },
          { label: 'Categories', value: usedNames.category.length },
          { label: 'Tags', value: usedNames.tag.length },
        ]}
      >
        <div data-chrome className="flex flex-wrap gap-2">
          {!open.demo && entries.length > 0 && (
            <>
              <Button icon={<PenLine aria-hidden size={14} />} onClick={() => setRenames(true)}>
                Rename or merge
              </Button>
              <ExportMenu keeperId={keeper.id} />
            </>
          )}
          {writing !== 'new' && add}
        </div>
      </EntryListHead>
      {writing === 'new' && <LogbookForm keeper={keeper} open={open} entry={null} onClose={close} />}
      {entries.length === 0 ? (
        writing !== 'new' && (
          <EmptyPanel drawing="leaf" title="No logbook entries yet" action={add}>
            Write down who you are today, in one part of your life.
          </EmptyPanel>
        )
      ) : (
        <>
          <div data-chrome className="mb-4 flex flex-col gap-2">
            <FilterChips
              label="Category"
              value={ofCategory}
              onValueChange={setCategory}
              options={[
                { ...all, label: 'All categories' },
                ...usedNames.category.map((value) => ({ value, label: value })),
              ]}
            />
            {usedNames.tag.length > 0 && (
              <FilterChips
                label="Tag"
                value={ofTag}
                onValueChange={setTag}
                options={[{ ...all, label: 'All tags' }, ...usedNames.tag.map((value) => ({ value, label: value }))]}
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
              <Years entries={visibleEntries} />
            ) : (
              <LongList
                label="Logbook entries"
                entries={visibleEntries}
                namedId={named}
                className="grid items-start gap-5 desk:grid-cols-2"
              >
                {(entry) =>
                  writing === entry.id ? (
                    <LogbookForm keeper={keeper} open={open} entry={entry} onClose={close} />
                  ) : (
                    <LogbookCard
                      entry={entry}
                      open={open}
                      journeyName={(id) => journeys.find((journey) => journey.id === id)?.title}
                      onEdit={() => startWriting(entry.id)}
                    />
                  )
                }
              </LongList>
            )}
          </Tabs>
        </>
      )}
      {renames && <RenameDialog keeperId={keeper.id} usedNames={usedNames} onClose={() => setRenames(false)} />}
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
      setProblem((reason instanceof ApiError && reason.serverMessage) || 'The server couldn’t be reached.')
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
