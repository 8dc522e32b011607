import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Echo } from '#contract/keepers/echoes.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { echoKind } from '../entries/entry-kinds.ts'
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
import { EchoCard } from './echo-card.tsx'
import { EchoForm } from './echo-form.tsx'

type EchoTab = 'pending' | 'delivered' | 'all'

const emptyTitles: Record<EchoTab, string> = {
  pending: 'No echoes are waiting.',
  delivered: 'Nothing delivered yet.',
  all: 'No echoes yet',
}

export function EchoWriterPage() {
  return (
    <KeeperFrame pageName="Echo Writer" getSubtitle={() => 'Notes to your later self, delivered when you choose.'}>
      {(keeper) => <EchoWriter key={keeper.id} keeper={keeper} />}
    </KeeperFrame>
  )
}

function EchoWriter({ keeper }: { keeper: Keeper }) {
  const entryList = useEntryList(echoKind, keeper)
  const { data: journeys = [] } = useJourneys(keeper)
  const [tab, setTab] = useState<EchoTab>('pending')
  const [openForm, showForm, closeForm] = useOpenForm()
  const { entries } = entryList
  if (!entries)
    return entryList.error ? (
      <EntryLoadError
        title={echoKind.errorTitles.fetch}
        reason={entryList.error}
        onRetry={entryList.retry}
        retrying={entryList.isRetrying}
      />
    ) : (
      <EntryListSkeleton />
    )
  const countByState = (state: Echo['state']) => entries.filter((echo) => echo.state === state).length
  const delivered = entries.filter((echo) => echo.delivered)
  const undelivered = entries.filter((echo) => !echo.delivered)
  const visibleEchoes = { pending: undelivered, delivered, all: entries }[tab]
  const addButton = (
    <Button variant="primary" data-opens="new" icon={<Plus aria-hidden size={15} />} onClick={() => showForm('new')}>
      Write an Echo
    </Button>
  )
  return (
    <>
      {entryList.demo && <DemoNote />}
      <EntryListHeader
        stats={[
          { label: 'Total', value: entries.length },
          { label: 'Ready', value: countByState('ready') },
          { label: 'Pending', value: countByState('pending') },
          { label: 'Delivered', value: delivered.length },
        ]}
      >
        {openForm !== 'new' && addButton}
      </EntryListHeader>
      {openForm === 'new' && <EchoForm keeper={keeper} entryList={entryList} entry={null} onClose={closeForm} />}
      <Tabs<EchoTab>
        label="Echoes"
        value={tab}
        onValueChange={setTab}
        tabs={[
          { id: 'pending', label: 'Pending', count: undelivered.length, needsAttention: countByState('ready') > 0 },
          { id: 'delivered', label: 'Delivered', count: delivered.length },
          { id: 'all', label: 'All', count: entries.length },
        ]}
      >
        {visibleEchoes.length === 0 && (
          <EmptyPanel drawing="leaf" title={emptyTitles[tab]} action={openForm !== 'new' && addButton} />
        )}
        <LongList label="Echoes" entries={visibleEchoes} className="flex flex-col gap-5">
          {(echo) =>
            openForm === echo.id ? (
              <EchoForm keeper={keeper} entryList={entryList} entry={echo} onClose={closeForm} />
            ) : (
              <EchoCard
                echo={echo}
                entryList={entryList}
                getJourneyName={(id) => journeys.find((journey) => journey.id === id)?.title}
                onEdit={() => showForm(echo.id)}
              />
            )
          }
        </LongList>
      </Tabs>
    </>
  )
}
