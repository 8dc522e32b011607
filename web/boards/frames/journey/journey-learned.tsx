import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { keepers } from '#contract/keepers/keepers.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { truncate } from '#contract/truncate.ts'
import { call } from '#web/api/api.ts'
import { getClosingReflectionPath } from '#web/keepers/journeys/journey-queries.ts'
import { keeperKey } from '#web/keepers/keeper-queries.ts'
import { demoMessage, useKeeperWrite } from '#web/keepers/use-keeper-write.ts'
import { EntityForm } from '#web/offline/entity-form.tsx'
import { useSubmitForm } from '#web/offline/use-entity-form.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { useReplayDay } from '../../entity/journey/journey-time.ts'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameNote } from '../frame-boundary.tsx'
import { type FrameJourney, WithJourney } from './with-journey.tsx'

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
  const write = useKeeperWrite(keeperId, false)
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
  const { data: keeper } = useQuery({
    queryKey: keeperKey(keeperId, 'on-board'),
    queryFn: ({ signal }) => call(keepers.show, { params: { id: keeperId }, signal }),
  })
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
            : keeper
              ? `Saved as a reflection in ${keeper.title}.`
              : 'Saved as a reflection in the journey’s keeper.'}
          {form.restored && !isEmpty && ' Your draft was restored.'}
        </p>
      )}
    </EntityForm>
  )
}
