import { useMutation } from '@tanstack/react-query'
import { LockKeyhole, Mail } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Echo, echoes } from '#contract/keepers/echoes.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { call } from '#web/api/api.ts'
import { ReservedHeight } from '#web/page/reserved-height.tsx'
import { MutationError } from '#web/queries/mutation-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { Time } from '#web/ui/text/time.tsx'
import { useWhenLoaded } from '../dashboard/use-when-loaded.ts'
import { describeTriggers, echoKind } from '../entries/entry-kinds.ts'
import { EntryActions, type EntryCardContext, QueuedBadge } from '../entries/entry-parts.tsx'
import { type EntryList, useEntryList } from '../entries/use-entry-list.ts'
import { Prose } from '../prose.tsx'
import { toPlainExcerpt } from '../reflections/plain-excerpt.ts'

interface EchoCardProps extends EntryCardContext<Echo> {
  getJourneyName: (id: string) => string | undefined
  /** Off where the list itself names the state. */
  hasStateBadge: boolean
}

export function EchoCard({ entry: echo, entryList, getJourneyName, hasStateBadge, onEdit }: EchoCardProps) {
  const isQueued = entryList.queuedIds.has(echo.id)
  const triggerText = describeTriggers(echo, getJourneyName)
  const { state } = echo
  return (
    <Card kind="paper" className="flex h-full flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2 empty:hidden">
        {hasStateBadge && <StateBadge echo={echo} />}
        {echo.sealed && (
          <Badge tone="outlined" icon={<LockKeyhole aria-hidden size={11} />}>
            Sealed
          </Badge>
        )}
        {isQueued && <QueuedBadge />}
      </div>
      <EchoMessage echo={echo} />
      <p className="text-small text-muted-foreground">{renderDelivery(echo, triggerText)}</p>
      <div className="mt-auto flex flex-wrap items-center gap-1">
        <span className="me-auto text-small text-muted-foreground">
          Written <Time value={echo.createdAt} />
        </span>
        <div data-chrome className="flex flex-wrap items-center justify-end gap-1">
          {state === 'ready' && !isQueued && <DeliverButton echo={echo} entryList={entryList} />}
          {(state !== 'delivered' || !isQueued) && (
            <EntryActions
              entry={echo}
              entryList={entryList}
              name={formatEchoName(echo)}
              question="Delete this echo?"
              kind={echoKind}
              onEdit={state === 'delivered' ? null : onEdit}
            />
          )}
        </div>
      </div>
    </Card>
  )
}

export function EchoMessage({ echo }: { echo: Pick<Echo, 'message' | 'sealed' | 'state'> }) {
  if (isTextHidden(echo))
    return (
      <p className="rounded-md border border-dashed border-border px-4 py-5 text-center font-serif text-body text-muted-foreground">
        You sealed this echo. It opens when it’s delivered.
      </p>
    )
  return <Prose text={echo.message} />
}

/** Tells apart echoes written on the same day: by excerpt, or by the minute if sealed. */
function formatEchoName(echo: Echo): string {
  if (isTextHidden(echo)) return `the echo from ${formatTime(echo.createdAt, 'date-time')}`
  return `the echo from ${formatTime(echo.createdAt)}: ${toPlainExcerpt(echo.message, 40)}`
}

const isTextHidden = ({ sealed, state }: Pick<Echo, 'sealed' | 'state'>) => sealed && state !== 'delivered'

function StateBadge({ echo: { state } }: { echo: Echo }) {
  if (state === 'ready') return <Badge tone="ribbon">Ready</Badge>
  if (state === 'delivered') return <Badge tone="success">Delivered</Badge>
  return <Badge>Pending</Badge>
}

function renderDelivery({ state, readyBecause, deliveredAt }: Echo, triggerText: string) {
  if (state === 'delivered' && deliveredAt)
    return (
      <>
        Delivered <Time value={deliveredAt} />. {readyBecause}
      </>
    )
  if (state === 'ready') return readyBecause
  return triggerText ? `Comes back ${triggerText}.` : 'No date yet.'
}

interface DeliverButtonProps {
  echo: Echo
  entryList: EntryList<Echo>
  /** Receives the echo with its text, which a sealed echo reveals only now. */
  onDelivered?: (echo: Echo) => void
}

export function DeliverButton({ echo, entryList, onDelivered }: DeliverButtonProps) {
  const deliver = useMutation({
    async mutationFn() {
      const deliveredEcho = await call(echoes.deliver, { params: { id: echo.id } })
      onDelivered?.(deliveredEcho)
      await entryList.put(deliveredEcho)
    },
  })

  return (
    <>
      <MutationError title="Failed to deliver echo" mutation={deliver} />
      <Button
        size="small"
        variant="keep"
        icon={<Mail aria-hidden size={13} />}
        busy={deliver.isPending}
        onClick={() => deliver.mutate()}
      >
        {echo.sealed ? 'Break the seal' : 'Deliver'}
      </Button>
    </>
  )
}

/** Shows due echoes on the dashboard. Renders nothing when there are none. */
export function ReadyEchoes({ keeper, onLoaded }: { keeper: Pick<Keeper, 'id'>; onLoaded: () => void }) {
  const entryList = useEntryList(echoKind, keeper)
  const { isPending } = entryList.query
  useWhenLoaded(isPending, onLoaded)
  // Echoes just delivered stay visible until the person leaves the page.
  const [deliveredEchoes, setDeliveredEchoes] = useState<Echo[]>([])
  const readyEchoes = (entryList.entries ?? []).filter(
    ({ id, state }) => state === 'ready' && !entryList.queuedIds.has(id),
  )
  const visibleEchoes = [
    ...readyEchoes,
    ...deliveredEchoes.filter(({ id }) => !readyEchoes.some((echo) => echo.id === id)),
  ]
  return (
    <ReservedHeight name="ready" isLoading={isPending}>
      {visibleEchoes.length > 0 && (
        <section aria-labelledby="ready-echoes" className="flex flex-col gap-3">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
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
      )}
    </ReservedHeight>
  )
}
