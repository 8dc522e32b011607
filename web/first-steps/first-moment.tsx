import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { firstKeeperTitle } from '#contract/accounts/own-account.ts'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { moments } from '#contract/keepers/moments.ts'
import { keepersKey } from '#web/keepers/keeper-queries.ts'
import { createBlankMomentDraft, type MomentDraft, toCreateBody } from '#web/keepers/moments/moment-draft.ts'
import { createClientId, getDraftId } from '#web/offline/create-client-id.ts'
import { sendOrQueue } from '#web/offline/send-or-queue.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { Button, RetryButton } from '#web/ui/controls/button.tsx'
import { Kbd } from '#web/ui/controls/kbd.tsx'
import { getCommandKeyName, sendOnKey } from '#web/ui/fields/field-keys.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import type { SavedMoment } from './saved-moment.tsx'

interface FirstMomentDraft {
  moment: MomentDraft
  keeperId: string
}
const createBlankDraft = (): FirstMomentDraft => ({ moment: createBlankMomentDraft(), keeperId: createClientId() })

/** The draft of a moment that is started before there is a keeper. */
export function useFirstMomentDraft() {
  const [initial, setInitial] = useState(createBlankDraft)
  const draft = useDraft('moment/first', initial)
  return { draft, startNext: () => setInitial(createBlankDraft()) }
}

interface FirstMomentProps extends ReturnType<typeof useFirstMomentDraft> {
  /** Exists if it was created after the text was started; otherwise saving creates one. */
  keeper: Keeper | undefined
  /** Whether the keepers couldn't be loaded. */
  isUnavailable: boolean
  onRetry: () => unknown
  onSaved: (saved: SavedMoment) => void
}

export function FirstMoment({ draft, startNext, keeper, isUnavailable, onRetry, onSaved }: FirstMomentProps) {
  const queryClient = useQueryClient()
  const pendingWrites = usePendingWrites()
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState('')
  const { moment, keeperId } = draft.value
  const pendingKeeper = pendingWrites.find(
    ({ what: kind, thing: entityId, keeperId: id }) => kind === 'Keeper' && entityId === id,
  )
  const canSave = moment.body.trim() !== '' && draft.ready && !isUnavailable

  async function save() {
    if (!canSave || saving) return
    setSaving(true)
    setError('')
    const id = keeper?.id ?? pendingKeeper?.keeperId ?? keeperId
    const writeContext = { what: 'Moment', keeperId: id }
    try {
      if (!keeper && !pendingKeeper)
        await sendOrQueue(
          keepers.create,
          {
            body: {
              id,
              title: firstKeeperTitle,
              purpose: 'Moments worth keeping.',
              keeperType: 'journal',
              memoryPattern: 'sole',
            },
          },
          { what: 'Keeper', keeperId: id },
        )
      const sent = await sendOrQueue(moments.create, { params: { id }, body: toCreateBody(moment) }, writeContext)
      startNext()
      await draft.release()
      onSaved({
        id: moment.id,
        body: moment.body,
        keeperId: id,
        keeperTitle: keeper?.title ?? firstKeeperTitle,
        state: sent.state,
        isFirst: true,
      })
      if (sent.state === 'sent') await queryClient.invalidateQueries({ queryKey: keepersKey })
    } catch (reason) {
      setError(getErrorMessage(reason))
    } finally {
      setSaving(false)
    }
  }

  return (
    <form
      aria-label="Your first moment"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={sendOnKey(() => void save())}
      className="rounded-[3px_12px_12px_3px] border border-border bg-paper shadow-e2 focus-within:border-input"
    >
      <textarea
        dir="auto"
        rows={2}
        value={moment.body}
        readOnly={saving || !draft.ready}
        aria-label="What is worth keeping from today?"
        aria-keyshortcuts="Control+Enter"
        placeholder="What is worth keeping from today?"
        onChange={(event) => {
          const id = getDraftId({ value: moment, restored: draft.restored })
          draft.set({ keeperId, moment: { ...moment, id, body: event.currentTarget.value } })
        }}
        className="block w-full resize-y bg-transparent px-6 pt-5 font-serif text-lead outline-hidden placeholder:text-muted-foreground phone:px-4"
      />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-6 pt-2 pb-4 phone:px-4">
        <span className="min-w-0 flex-1 basis-48 text-small text-muted-foreground">
          {keeper
            ? `Your moment goes into ${keeper.title}.`
            : `Your moment starts a keeper called “${firstKeeperTitle}”. Only you can read it.`}
        </span>
        <Kbd
          className={classNames('phone:hidden', !(canSave && !saving) && 'invisible')}
        >{`${getCommandKeyName()}Enter`}</Kbd>
        <Button type="submit" variant="primary" disabled={!canSave} busy={saving} busyLabel="Saving...">
          Save moment
        </Button>
      </div>
      {isUnavailable && (
        <p role="alert" className="flex flex-wrap items-center gap-3 px-6 pb-4 text-ui">
          Your keepers couldn’t be loaded, so you can’t save yet. Your text stays here.
          <RetryButton onClick={onRetry} />
        </p>
      )}
      {error && (
        <p role="alert" className="px-6 pb-4 text-ui font-medium text-destructive">
          {error}
        </p>
      )}
    </form>
  )
}
