import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Echo } from '#contract/keepers/echoes.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { DemoNote, EntryListHead, EntryListSkeleton, EntryLoadError } from '../entries/entry-parts.tsx'
import { LongList } from '../entries/long-list.tsx'
import { useEntryList } from '../entries/use-entry-list.ts'
import { useWriting } from '../entries/use-writing.ts'
import { useJourneys } from '../journeys/journey-queries.ts'
import { KeeperFrame } from '../keeper-frame.tsx'
import { EchoCard } from './echo-card.tsx'
import { EchoForm } from './echo-form.tsx'
import { echoKind } from './echo-kind.ts'

type EchoTab = 'pending' | 'delivered' | 'all'

const empty: Record<EchoTab, string> = {
  pending: 'No echoes are waiting.',
  delivered: 'Nothing delivered yet.',
  all: 'No echoes yet',
}

export function EchoWriterPage() {
  return (
    <KeeperFrame pageName="Echo Writer" sub={() => 'Notes to your later self, delivered when you choose.'}>
      {(keeper) => <EchoWriter key={keeper.id} keeper={keeper} />}
    </KeeperFrame>
  )
}

function EchoWriter({ keeper }: { keeper: Keeper }) {
  const open = useEntryList(echoKind, keeper)
  const { data: journeys = [] } = useJourneys(keeper)
  const [tab, setTab] = useState<EchoTab>('pending')
  const [writing, startWriting, close] = useWriting()
  const { entries } = open
  if (!entries)
    return open.error ? (
      <EntryLoadError
        title={echoKind.failures.fetch}
        reason={open.error}
        onRetry={open.retry}
        retrying={open.isRetrying}
      />
    ) : (
      <EntryListSkeleton />
    )
  const count = (state: Echo['state']) => entries.filter((echo) => echo.state === state).length
  const delivered = entries.filter((echo) => echo.delivered)
  const undelivered = entries.filter((echo) => !echo.delivered)
  const visibleEchoes = { pending: undelivered, delivered, all: entries }[tab]
  const add = (
    <Button
      variant="primary"
      data-opens="new"
      icon={<Plus aria-hidden size={15} />}
      onClick={() => startWriting('new')}
    >
      Write an Echo
    </Button>
  )
  return (
    <>
      {open.demo && <DemoNote />}
      <EntryListHead
        stats={[
          { label: 'Total', value: entries.length },
          { label: 'Ready', value: count('ready') },
          { label: 'Pending', value: count('pending') },
          { label: 'Delivered', value: delivered.length },
        ]}
      >
        {writing !== 'new' && add}
      </EntryListHead>
      {writing === 'new' && <EchoForm keeper={keeper} open={open} entry={null} onClose={close} />}
      <Tabs<EchoTab>
        label="Echoes"
        value={tab}
        onValueChange={setTab}
        tabs={[
          { id: 'pending', label: 'Pending', count: undelivered.length, needsAttention: count('ready') > 0 },
          { id: 'delivered', label: 'Delivered', count: delivered.length },
          { id: 'all', label: 'All', count: entries.length },
        ]}
      >
        {visibleEchoes.length === 0 && (
          <EmptyPanel drawing="leaf" title={empty[tab]} action={writing !== 'new' && add} />
        )}
        <LongList label="Echoes" entries={visibleEchoes} className="flex flex-col gap-5">
          {(echo) =>
            writing === echo.id ? (
              <EchoForm keeper={keeper} open={open} entry={echo} onClose={close} />
            ) : (
              <EchoCard
                echo={echo}
                open={open}
                journeyName={(id) => journeys.find((journey) => journey.id === id)?.title}
                onEdit={() => startWriting(echo.id)}
              />
            )
          }
        </LongList>
      </Tabs>
    </>
  )
}
