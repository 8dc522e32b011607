import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import type { JourneyPoint } from '#contract/keepers/journeys.ts'
import { moments } from '#contract/keepers/moments.ts'
import { getMomentPath } from '#web/keepers/journeys/journey-queries.ts'
import { getLocalNow } from '#web/keepers/moments/moment-writing.ts'
import { useKeeperWrite } from '#web/keepers/use-keeper-write.ts'
import { useSubmitForm } from '#web/offline/use-entity-form.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { onSendKey } from '#web/ui/fields/on-send-key.ts'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { useReplayDay } from '../../entity/journey/journey-time.ts'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameNote } from '../frame-boundary.tsx'
import { toReasonText } from '../frame-query.tsx'
import { type FrameJourney, getFrameJourneyKey, WithJourney } from './with-journey.tsx'

const initialCount = 30

/** Lists the moments of a journey, newest first, and adds new ones. */
export function JourneyMomentsFrame(props: FrameBodyProps) {
  return <WithJourney {...props}>{(resolvedJourney) => <JourneyMomentList {...resolvedJourney} />}</WithJourney>
}

function JourneyMomentList({ journey, source }: FrameJourney) {
  const [maxVisible, setMaxVisible] = useState(initialCount)
  const isReplaying = useReplayDay() !== null
  const newest = journey.beads.toReversed()
  return (
    <div className="flex min-h-full flex-col gap-2 px-3.5 py-3">
      {source.kind === 'own' && !isReplaying && <AddMoment journeyId={journey.id} keeperId={source.keeperId} />}
      {newest.length === 0 && <FrameNote>No moments on this journey yet.</FrameNote>}
      <ul aria-label={`Moments of ${journey.title}`}>
        {newest.slice(0, maxVisible).map((point) => (
          <li key={point.id} className="border-t border-hairline py-2 first:border-t-0">
            <MomentSummary point={point} {...(source.kind === 'own' && { keeperId: source.keeperId })} />
          </li>
        ))}
      </ul>
      {newest.length > maxVisible && (
        <div>
          <Button size="small" onClick={() => setMaxVisible(maxVisible + 100)}>
            Show earlier
          </Button>
        </div>
      )}
    </div>
  )
}

function MomentSummary({ point, keeperId }: { point: JourneyPoint; keeperId?: string }) {
  const { title, excerpt, localDate, pinned } = point
  const summary = (
    <>
      <span className="flex items-center gap-2 text-small text-muted-foreground">
        {pinned && <span aria-hidden className="h-3 w-[7px] spine bg-ribbon" />}
        {formatTime(`${localDate}T12:00`)}
        {pinned && <span className="sr-only">, kept</span>}
      </span>
      {title && <span className="block font-serif text-lead font-medium wrap-anywhere">{title}</span>}
      {excerpt && excerpt !== title && (
        <span className="line-clamp-4 font-serif text-[15px] leading-[22px] wrap-anywhere">{excerpt}</span>
      )}
      {!title && !excerpt && <span className="block font-serif text-lead text-muted-foreground">No text</span>}
    </>
  )
  if (!keeperId) return summary
  return (
    <Link to={getMomentPath(keeperId, point)} className="-mx-1.5 block rounded-sm px-1.5 hover:bg-fill-hover">
      {summary}
    </Link>
  )
}

function AddMoment({ journeyId, keeperId }: { journeyId: string; keeperId: string }) {
  const write = useKeeperWrite(keeperId, false)
  const queryClient = useQueryClient()
  const { isSaving, failure, save, ...form } = useSubmitForm({
    draftKey: `board/moment/${journeyId}`,
    blank: { body: '' },
    async submit({ body: text }, { id }) {
      const { day, timezone } = getLocalNow()
      const body = { id, body: text, journeyId, localDate: day, timezone, occurredAt: new Date().toISOString() }
      await write(moments.create, { params: { id: keeperId }, body }, 'Moment')
    },
    // Not awaited, so that the next moment can be written right away.
    onSaved: () => void queryClient.invalidateQueries({ queryKey: getFrameJourneyKey(journeyId) }),
  })
  const isEmpty = form.values.body.trim() === ''
  function add(event?: FormEvent) {
    event?.preventDefault()
    if (!isEmpty) void save()
  }

  return (
    <form onSubmit={add} className="flex flex-col gap-1.5">
      <ReadOnlyWhile while={isSaving}>
        <TextArea
          label="A moment on this journey"
          labelHidden
          placeholder="A moment on this journey"
          serif
          rows={1}
          {...form.field('body')}
          error={failure === undefined ? undefined : toReasonText(failure)}
          aria-keyshortcuts="Control+Enter"
          onKeyDown={onSendKey(add)}
        />
      </ReadOnlyWhile>
      {!isEmpty && (
        <div>
          <Button type="submit" size="small" variant="primary" busy={isSaving}>
            Add
          </Button>
        </div>
      )}
    </form>
  )
}
