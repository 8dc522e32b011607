import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { keepers } from '#contract/keepers/keepers.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { truncate } from '#contract/truncate.ts'
import { call } from '#web/api.ts'
import { closingAddress } from '#web/keepers/journeys/journey-addresses.ts'
import { keeperKey } from '#web/keepers/keeper-queries.ts'
import { demoWords, useKeeperWrite } from '#web/keepers/use-keeper-write.ts'
import { idInTheMaking, newClientId } from '#web/offline/new-client-id.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { onSendKey } from '#web/ui/on-send-key.ts'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { useLivedUntil } from '../../journey/journey-time.ts'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameNote } from '../frame-boundary.tsx'
import { wordsOfReason } from '../frame-query.tsx'
import { type JourneyOfFrame, OfJourney } from './of-journey.tsx'

/** Saves what was learned on a journey as a reflection in its keeper. */
export function JourneyLearnedFrame(props: FrameBodyProps) {
  return (
    <OfJourney {...props}>
      {({ journey, whose }) =>
        whose.kind === 'own' ? (
          <Learned key={journey.id} journey={journey} keeperId={whose.keeperId} />
        ) : (
          <FrameNote>
            {whose.kind === 'sample' ? demoWords : 'The owner of this journey writes here what stays with them.'}
          </FrameNote>
        )
      }
    </OfJourney>
  )
}

function Learned({ journey, keeperId }: { journey: JourneyOfFrame['journey']; keeperId: string }) {
  const isPlayed = useLivedUntil() !== null
  const draft = useDraft(`board/learned/${journey.id}`, { id: '', content: '' })
  const write = useKeeperWrite(keeperId, false)
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [kept, setKept] = useState<{ id: string; waits: boolean }>()
  const { data: keeper } = useQuery({
    queryKey: keeperKey(keeperId, 'on-board'),
    queryFn: ({ signal }) => call(keepers.show, { params: { id: keeperId }, signal }),
  })
  const { content } = draft.value
  const isEmpty = content.trim() === ''

  async function keep(event?: FormEvent) {
    event?.preventDefault()
    if (saving || isEmpty) return
    setSaving(true)
    setFailure(undefined)
    try {
      const id = draft.value.id || newClientId()
      const given = { id, content, topic: truncate(journey.title, 80).trim() }
      const sent = await write(reflections.create, { params: { id: keeperId }, body: given }, 'Reflection')
      await draft.letGo()
      setKept({ id, waits: sent?.state === 'kept' })
    } catch (reason) {
      setFailure(wordsOfReason(reason))
    }
    setSaving(false)
  }

  return (
    <form onSubmit={keep} className="flex min-h-full flex-col gap-2.5 px-3.5 py-3">
      <ReadOnlyWhile while={saving}>
        <TextArea
          label={`What stays with you from ${journey.title}?`}
          serif
          rows={4}
          disabled={isPlayed}
          value={content}
          error={failure}
          aria-keyshortcuts="Control+Enter"
          onKeyDown={onSendKey(() => void keep())}
          onChange={({ currentTarget: { value } }) => {
            setKept(undefined)
            draft.set({ id: idInTheMaking(draft), content: value })
          }}
        />
      </ReadOnlyWhile>
      {kept ? (
        <Banner key={kept.id} tone="info">
          {kept.waits ? 'Saved in this browser until it can be sent. ' : 'Saved as a reflection. '}
          {!kept.waits && (
            <Link to={closingAddress(keeperId, kept.id)} className="underline underline-offset-2">
              Open it
            </Link>
          )}
        </Banner>
      ) : (
        <p className="text-small text-muted-foreground">
          {isPlayed
            ? 'You’re viewing the past. Go to the end to write.'
            : keeper
              ? `Saved as a reflection in ${keeper.title}.`
              : 'Saved as a reflection in its keeper.'}
          {draft.restored && !isEmpty && ' Your draft was restored.'}
        </p>
      )}
      <div>
        <Button
          type="submit"
          variant="primary"
          size="small"
          disabled={isEmpty || isPlayed}
          busy={saving}
          busyLabel="Saving..."
        >
          Save Reflection
        </Button>
      </div>
    </form>
  )
}
