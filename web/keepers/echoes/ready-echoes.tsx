import { useState } from 'react'
import { Link } from 'react-router'
import type { Echo } from '#contract/keepers/echoes.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { echoKind } from '../entries/entry-kinds.ts'
import { useEntryList } from '../entries/use-entry-list.ts'
import { DeliverButton, EchoMessage } from './echo-card.tsx'

/** Shows due echoes on the dashboard. Renders nothing when there are none. */
export function ReadyEchoes({ keeper }: { keeper: Pick<Keeper, 'id'> }) {
  const entryList = useEntryList(echoKind, keeper)
  // Echoes just delivered stay visible until the page is left.
  const [deliveredEchoes, setDeliveredEchoes] = useState<Echo[]>([])
  const readyEchoes = (entryList.entries ?? []).filter(
    ({ id, state }) => state === 'ready' && !entryList.queuedIds.has(id),
  )
  const visibleEchoes = [
    ...readyEchoes,
    ...deliveredEchoes.filter(({ id }) => !readyEchoes.some((echo) => echo.id === id)),
  ]
  if (visibleEchoes.length === 0) return null
  return (
    <section aria-labelledby="ready-echoes" className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id="ready-echoes">Ready</h2>
        <Link to={`/keeper/${keeper.id}/echo-writer`} className={quietLinkClasses}>
          Echo Writer
        </Link>
      </div>
      <ul aria-label="Ready echoes" className="flex flex-col gap-3">
        {visibleEchoes.map((echo) => (
          <li key={echo.id}>
            <Card kind="paper" className="flex flex-col gap-3">
              <EchoMessage echo={echo} />
              <div className="flex flex-wrap items-center justify-between gap-2">
                <span className="text-small text-muted-foreground">{echo.readyBecause}</span>
                {echo.state === 'delivered' ? (
                  <Badge tone="success">Delivered</Badge>
                ) : (
                  <DeliverButton
                    echo={echo}
                    entryList={entryList}
                    onDelivered={(deliveredEcho) => setDeliveredEchoes((previous) => [...previous, deliveredEcho])}
                  />
                )}
              </div>
            </Card>
          </li>
        ))}
      </ul>
    </section>
  )
}
