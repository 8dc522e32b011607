import { useState } from 'react'
import type { Echo } from '#contract/keepers/echoes.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { echoKind } from '../entries/entry-kinds.ts'
import { EntryListPage, LongList } from '../entries/entry-parts.tsx'
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

const listClasses = 'grid gap-5 desk:grid-cols-2'

export function EchoWriterPage() {
  return (
    <KeeperFrame pageName="Echo Writer" subtitle="Notes to your later self, delivered when you choose.">
      {(keeper) => <EchoWriter key={keeper.id} keeper={keeper} />}
    </KeeperFrame>
  )
}

function EchoWriter({ keeper }: { keeper: Keeper }) {
  const { data: journeys = [] } = useJourneys(keeper)
  const [tab, setTab] = useState<EchoTab>('pending')
  const getJourneyName = (id: string) => journeys.find((journey) => journey.id === id)?.title
  const countByState = (entries: readonly Echo[], state: Echo['state']) =>
    entries.filter((echo) => echo.state === state).length
  return (
    <EntryListPage
      kind={echoKind}
      keeper={keeper}
      addLabel="Write an Echo"
      Form={EchoForm}
      renderCard={(card) => <EchoCard getJourneyName={getJourneyName} hasStateBadge={tab === 'all'} {...card} />}
      getStats={(entries) => [
        { label: 'Total', value: entries.length },
        { label: 'Ready', value: countByState(entries, 'ready') },
        { label: 'Pending', value: countByState(entries, 'pending') },
        { label: 'Delivered', value: entries.filter((echo) => echo.delivered).length },
      ]}
    >
      {({ entries, addButton, renderEntry }) => {
        const deliveredEchoes = entries.filter((echo) => echo.delivered)
        const readyEchoes = entries.filter(({ state }) => state === 'ready')
        const pendingEchoes = entries.filter(({ state }) => state === 'pending')
        const visibleEchoes = { pending: pendingEchoes, delivered: deliveredEchoes, all: entries }[tab]
        const isReadyVisible = tab === 'pending' && readyEchoes.length > 0
        return (
          <Tabs<EchoTab>
            label="Echoes"
            value={tab}
            onValueChange={setTab}
            tabs={[
              {
                id: 'pending',
                label: 'Pending',
                count: pendingEchoes.length,
                needsAttention: readyEchoes.length > 0,
              },
              { id: 'delivered', label: 'Delivered', count: deliveredEchoes.length },
              { id: 'all', label: 'All', count: entries.length },
            ]}
          >
            {isReadyVisible && (
              <>
                <h2 className="mb-3">Ready</h2>
                <LongList label="Ready echoes" entries={readyEchoes} className={listClasses}>
                  {renderEntry}
                </LongList>
                {pendingEchoes.length > 0 && <h2 className="mt-8 mb-3">Pending</h2>}
              </>
            )}
            {visibleEchoes.length === 0 && !isReadyVisible && (
              <EmptyPanel drawing="leaf" title={emptyTitles[tab]} action={entries.length === 0 && addButton} />
            )}
            <LongList label="Echoes" entries={visibleEchoes} className={listClasses}>
              {renderEntry}
            </LongList>
          </Tabs>
        )
      }}
    </EntryListPage>
  )
}
