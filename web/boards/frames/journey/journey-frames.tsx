import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { getEntryPath } from '#contract/keepers/entry-address.ts'
import type { Journey, JourneyPoint, Path, Waypoint } from '#contract/keepers/journeys.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { truncate } from '#contract/truncate.ts'
import { statusLabels } from '#web/keepers/journeys/journey-list.tsx'
import { getClosingReflectionPath, getMomentPath } from '#web/keepers/journeys/journey-queries.ts'
import { WaypointHeading } from '#web/keepers/journeys/path-card.tsx'
import { formatMomentName, RiverLine, renderNamedDot } from '#web/keepers/journeys/river-line.tsx'
import { saveWaypoints, usePathsWithPendingWrites } from '#web/keepers/journeys/use-path-writes.ts'
import { setReached } from '#web/keepers/journeys/waypoint-list.ts'
import { getLocalNow } from '#web/keepers/moments/moment-draft.ts'
import { getPigmentInk } from '#web/keepers/pigments.ts'
import { getSharedJourneyPagePath } from '#web/keepers/shared/shared-queries.ts'
import { demoMessage, useKeeperWrite } from '#web/keepers/use-keeper-write.ts'
import { EntityForm } from '#web/offline/entity-form.tsx'
import { useSubmitForm } from '#web/offline/use-entity-form.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { sendOnKey } from '#web/ui/fields/field-keys.ts'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { Badge, type BadgeTone } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { useReplayDay } from '../../entity/journey/journey-time.ts'
import { keeperQuery } from '../entity-queries.ts'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameNote } from '../frame-boundary.tsx'
import { FrameFailure, toReasonText } from '../frame-query.tsx'
import { type FrameJourney, frameJourneyQuery, WithJourney } from './with-journey.tsx'

const statusTones: Record<Journey['status'], BadgeTone> = {
  planned: 'neutral',
  active: 'info',
  paused: 'neutral',
  completed: 'success',
}

export function JourneyLineFrame(props: FrameBodyProps) {
  return <WithJourney {...props}>{(resolvedJourney) => <JourneyLineBody {...resolvedJourney} />}</WithJourney>
}

function JourneyLineBody({ journey, source }: FrameJourney) {
  return (
    <div className="flex flex-col gap-2.5 p-3">
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h4 dir="auto" className="min-w-0 font-serif text-h3 wrap-anywhere">
          {journey.title}
        </h4>
        <Badge tone={statusTones[journey.status]}>{statusLabels[journey.status]}</Badge>
        {source.kind !== 'sample' && (
          <Link to={getJourneyRoute(source, journey.id)} className={`${quietLinkClasses} ms-auto`}>
            Open the journey
          </Link>
        )}
      </header>
      <RiverLine
        journey={journey}
        renderMoment={(point, face) =>
          source.kind === 'own' ? (
            <Link
              to={getMomentPath(source.keeperId, point)}
              title={formatMomentName(point)}
              aria-label={formatMomentName(point)}
              className="group grid size-8 place-items-center rounded-full"
            >
              {face}
            </Link>
          ) : (
            renderNamedDot(point, face)
          )
        }
      />
    </div>
  )
}

const getJourneyRoute = (source: Exclude<FrameJourney['source'], { kind: 'sample' }>, id: string): string =>
  source.kind === 'own'
    ? getEntryPath({ entity: 'journey', keeperId: source.keeperId, id })
    : getSharedJourneyPagePath(source.domainId, id)

const pathStateLabels: Record<Path['state'], string | null> = { taken: null, open: 'Open', not_taken: 'Not taken' }

export function JourneyWaypointsFrame(props: FrameBodyProps) {
  return <WithJourney {...props}>{(resolvedJourney) => <JourneyWaypointList {...resolvedJourney} />}</WithJourney>
}

function JourneyWaypointList({ journey, source }: FrameJourney) {
  const canTick = useReplayDay() === null && source.kind === 'own'
  const pathsWithPending = usePathsWithPendingWrites(source.kind === 'own' ? source.keeperId : '', journey.paths)
  const paths = (canTick ? pathsWithPending : journey.paths).filter(({ waypoints }) => waypoints.length > 0)
  const allWaypoints = paths.filter(({ state }) => state !== 'not_taken').flatMap(({ waypoints }) => waypoints)
  const doneCount = allWaypoints.filter(({ doneAt }) => doneAt !== null).length
  if (paths.length === 0) return <FrameNote>No waypoints on this journey yet.</FrameNote>
  return (
    <div className="flex flex-col gap-3 px-3.5 py-3">
      <p className="text-small text-muted-foreground">{`${doneCount} of ${allWaypoints.length} reached`}</p>
      {paths.map((path) => (
        <section key={path.id} aria-label={path.title}>
          <h4 className="flex items-center gap-2 text-ui font-semibold">
            <span dir="auto" className="min-w-0 wrap-anywhere">
              {path.title}
            </span>
            {pathStateLabels[path.state] && <Badge tone="outlined">{pathStateLabels[path.state]}</Badge>}
          </h4>
          <ol className="mt-1">
            {path.waypoints.map((waypoint) => (
              <li key={waypoint.id} className="flex items-start gap-2.5 border-t border-hairline py-2 first:border-t-0">
                {canTick && path.state !== 'not_taken' && source.kind === 'own' ? (
                  <WaypointCheckbox journeyId={journey.id} keeperId={source.keeperId} path={path} waypoint={waypoint} />
                ) : (
                  <>
                    <span
                      aria-hidden
                      style={{
                        borderColor: path.state === 'not_taken' ? undefined : getPigmentInk(journey.color),
                        background: waypoint.doneAt ? getPigmentInk(journey.color) : undefined,
                      }}
                      className="mt-1.5 size-3 shrink-0 rounded-full border-2 border-input"
                    />
                    <div className="min-w-0">
                      <WaypointHeading waypoint={waypoint} isNotTaken={path.state === 'not_taken'} />
                    </div>
                  </>
                )}
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

interface WaypointCheckboxProps {
  journeyId: string
  keeperId: string
  path: Path
  waypoint: Waypoint
}

function WaypointCheckbox({ journeyId, keeperId, path, waypoint }: WaypointCheckboxProps) {
  const write = useKeeperWrite(keeperId)
  const queryClient = useQueryClient()
  const update = useMutation({
    mutationFn: async (isReached: boolean) => {
      const change = setReached(waypoint.id, isReached ? new Date().toISOString() : null)
      const result = await saveWaypoints(write, path, change)
      if (result?.state === 'sent')
        await queryClient.invalidateQueries({ queryKey: frameJourneyQuery(journeyId).queryKey })
    },
  })
  const isReached = update.isPending ? update.variables : waypoint.doneAt !== null

  return (
    <>
      <Checkbox
        className="mt-0.5"
        label={`${waypoint.title} reached`}
        labelHidden
        checked={isReached}
        onCheckedChange={(checked) => update.mutate(checked)}
      />
      <div className="min-w-0">
        <WaypointHeading waypoint={waypoint} isNotTaken={false} />
        <FrameFailure reason={update.error} />
      </div>
    </>
  )
}

/** Lists the moments of a journey, newest first, and adds new ones. */
export function JourneyMomentsFrame(props: FrameBodyProps) {
  return <WithJourney {...props}>{(resolvedJourney) => <JourneyMomentList {...resolvedJourney} />}</WithJourney>
}

function JourneyMomentList({ journey, source }: FrameJourney) {
  const isReplaying = useReplayDay() !== null
  const { beads: points } = journey
  const newest = points.toReversed()
  const { visible, showMoreButton } = useLimitedList(newest, { initialVisible: 30, size: 'small', className: '' })
  return (
    <div className="flex min-h-full flex-col gap-2 px-3.5 py-3">
      {source.kind === 'own' && !isReplaying && <AddMoment journeyId={journey.id} keeperId={source.keeperId} />}
      {newest.length === 0 && <FrameNote>No moments on this journey yet.</FrameNote>}
      <ul aria-label={`Moments of ${journey.title}`}>
        {visible.map((point) => (
          <li key={point.id} className="border-t border-hairline py-2 first:border-t-0">
            <MomentSummary point={point} {...(source.kind === 'own' && { keeperId: source.keeperId })} />
          </li>
        ))}
      </ul>
      {showMoreButton}
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
      {title && (
        <span dir="auto" className="block font-serif text-lead font-medium wrap-anywhere">
          {title}
        </span>
      )}
      {excerpt && excerpt !== title && (
        <span dir="auto" className="line-clamp-4 font-serif text-[0.9375rem] leading-[1.375rem] wrap-anywhere">
          {excerpt}
        </span>
      )}
      {!title && !excerpt && <span className="block font-serif text-lead text-muted-foreground">No text</span>}
    </>
  )
  if (!keeperId) return summary
  return (
    <Link
      dir="auto"
      to={getMomentPath(keeperId, point)}
      className="-mx-1.5 block rounded-sm px-1.5 hover:bg-fill-hover"
    >
      {summary}
    </Link>
  )
}

function AddMoment({ journeyId, keeperId }: { journeyId: string; keeperId: string }) {
  const write = useKeeperWrite(keeperId)
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
    onSaved: () => void queryClient.invalidateQueries({ queryKey: frameJourneyQuery(journeyId).queryKey }),
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
          onKeyDown={sendOnKey(add)}
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

export function JourneyLearnedFrame(props: FrameBodyProps) {
  return (
    <WithJourney {...props}>
      {({ journey, source }) =>
        source.kind === 'own' ? (
          <LearnedForm key={journey.id} journey={journey} keeperId={source.keeperId} />
        ) : (
          <FrameNote>
            {source.kind === 'sample' ? demoMessage : 'The owner of this journey can write here what stays with them.'}
          </FrameNote>
        )
      }
    </WithJourney>
  )
}

function LearnedForm({ journey, keeperId }: { journey: FrameJourney['journey']; keeperId: string }) {
  const isReplaying = useReplayDay() !== null
  const write = useKeeperWrite(keeperId)
  const [savedReflection, setSavedReflection] = useState<{ id: string; isQueued: boolean }>()
  const form = useSubmitForm({
    draftKey: `board/learned/${journey.id}`,
    blank: { content: '' },
    async submit({ content }, { id }) {
      const body = { id, content, topic: truncate(journey.title, 80).trim() }
      const result = await write(reflections.create, { params: { id: keeperId }, body }, 'Reflection')
      setSavedReflection({ id, isQueued: result?.state === 'queued' })
    },
  })
  const { data: keeper } = useQuery(keeperQuery(keeperId))
  const isEmpty = form.values.content.trim() === ''

  return (
    <EntityForm
      form={form}
      className="flex min-h-full flex-col gap-2.5 px-3.5 py-3"
      saveLabel="Save Reflection"
      size="small"
      failureTitle="The reflection couldn’t be saved."
      disabled={isEmpty || isReplaying}
    >
      <TextArea
        label={`What stays with you from ${journey.title}?`}
        serif
        rows={4}
        disabled={isReplaying}
        aria-keyshortcuts="Control+Enter"
        {...form.field('content')}
      />
      {savedReflection && form.isSaved ? (
        <Banner key={savedReflection.id} tone="info">
          {savedReflection.isQueued ? 'Saved in this browser until it can be sent. ' : 'Saved as a reflection. '}
          {!savedReflection.isQueued && (
            <Link to={getClosingReflectionPath(keeperId, savedReflection.id)} className="underline underline-offset-2">
              Open reflection
            </Link>
          )}
        </Banner>
      ) : (
        <p className="text-small text-muted-foreground">
          {isReplaying
            ? 'You’re viewing the past. Go to the end to write.'
            : `Saved as a reflection in ${keeper?.title ?? 'the journey’s keeper'}.`}
          {form.restored && !isEmpty && ' Your draft was restored.'}
        </p>
      )}
    </EntityForm>
  )
}
