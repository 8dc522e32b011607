import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { keepers } from '#contract/keepers/keepers.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { truncate } from '#contract/truncate.ts'
import { call } from '#web/api.ts'
import { getClosingReflectionPath } from '#web/keepers/journeys/journey-addresses.ts'
import { keeperKey } from '#web/keepers/keeper-queries.ts'
import { demoMessage, useKeeperWrite } from '#web/keepers/use-keeper-write.ts'
import { createClientId, getDraftId } from '#web/offline/create-client-id.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { onSendKey } from '#web/ui/on-send-key.ts'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { useReplayDay } from '../../journey/journey-time.ts'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameNote } from '../frame-boundary.tsx'
import { toReasonText } from '../frame-query.tsx'
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
  const draft = useDraft(`board/learned/${journey.id}`, { id: '', content: '' })
  const write = useKeeperWrite(keeperId, false)
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [savedReflection, setSavedReflection] = useState<{ id: string; isQueued: boolean }>()
  const { data: keeper } = useQuery({
    queryKey: keeperKey(keeperId, 'on-board'),
    queryFn: ({ signal }) => call(keepers.show, { params: { id: keeperId }, signal }),
  })
  const { content } = draft.value
  const isEmpty = content.trim() === ''

  async function saveReflection(event?: FormEvent) {
    event?.preventDefault()
    if (saving || isEmpty) return
    setSaving(true)
    setFailure(undefined)
    try {
      const id = draft.value.id || createClientId()
      const body = { id, content, topic: truncate(journey.title, 80).trim() }
      const result = await write(reflections.create, { params: { id: keeperId }, body: body }, 'Reflection')
      await draft.release()
      setSavedReflection({ id, isQueued: result?.state === 'queued' })
    } catch (reason) {
      setFailure(toReasonText(reason))
    }
    setSaving(false)
  }

  return (
    <form onSubmit={saveReflection} className="flex min-h-full flex-col gap-2.5 px-3.5 py-3">
      <ReadOnlyWhile while={saving}>
        <TextArea
          label={`What stays with you from ${journey.title}?`}
          serif
          rows={4}
          disabled={isReplaying}
          value={content}
          error={failure}
          aria-keyshortcuts="Control+Enter"
          onKeyDown={onSendKey(() => void saveReflection())}
          onChange={({ currentTarget: { value } }) => {
            setSavedReflection(undefined)
            draft.set({ id: getDraftId(draft), content: value })
          }}
        />
      </ReadOnlyWhile>
      {savedReflection ? (
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
          {draft.restored && !isEmpty && ' Your draft was restored.'}
        </p>
      )}
      <div>
        <Button
          type="submit"
          variant="primary"
          size="small"
          disabled={isEmpty || isReplaying}
          busy={saving}
          busyLabel="Saving..."
        >
          Save Reflection
        </Button>
      </div>
    </form>
  )
}
