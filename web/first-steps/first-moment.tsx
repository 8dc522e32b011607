import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { firstKeeperTitle } from '#contract/accounts/own-account.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { moments } from '#contract/keepers/moments.ts'
import { isSampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { stripMarkdown } from '#contract/plain-text.ts'
import { getDashboardPath } from '#web/keepers/keeper-addresses.ts'
import { keepersKey, useKeepers } from '#web/keepers/keeper-queries.ts'
import { createBlankWriting, type MomentWriting, toCreateBody } from '#web/keepers/moments/moment-writing.ts'
import { createClientId, getDraftId } from '#web/offline/create-client-id.ts'
import { sendOrQueue } from '#web/offline/send-or-queue.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Kbd } from '#web/ui/controls/kbd.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { RetryButton } from '#web/ui/controls/retry-button.tsx'
import { onSendKey } from '#web/ui/fields/on-send-key.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { getCommandKeyName } from '../page/key-names.ts'

export interface SavedMoment {
  body: string
  keeperId: string
  keeperTitle: string
  state: 'sent' | 'queued'
}

interface FirstMomentDraft {
  moment: MomentWriting
  keeperId: string
}
const createBlankDraft = (): FirstMomentDraft => ({ moment: createBlankWriting(), keeperId: createClientId() })

interface FirstMomentProps {
  box: RefObject<HTMLTextAreaElement | null>
  onSaved: (saved: SavedMoment) => void
}

export function FirstMoment({ box, onSaved }: FirstMomentProps) {
  const queryClient = useQueryClient()
  const { data: allKeepers, isError, refetch } = useKeepers()
  const pendingWrites = usePendingWrites()
  const [initial, setInitial] = useState(createBlankDraft)
  const draft = useDraft('moment/first', initial)
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState('')
  const { moment, keeperId } = draft.value
  const keeper = allKeepers?.find((candidate) => !isSampleKeeper(candidate))
  const pendingKeeper = pendingWrites.find(
    ({ what: kind, thing: entityId, keeperId: id }) => kind === 'Keeper' && entityId === id,
  )
  const canSave = moment.body.trim() !== '' && draft.ready && allKeepers !== undefined

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
      setInitial(createBlankDraft())
      await draft.release()
      onSaved({ body: moment.body, keeperId: id, keeperTitle: keeper?.title ?? firstKeeperTitle, state: sent.state })
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
      onKeyDown={onSendKey(() => void save())}
      className="rounded-[3px_12px_12px_3px] border border-border bg-paper shadow-e2 focus-within:border-input"
    >
      <textarea
        ref={box}
        rows={4}
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
      {isError && !allKeepers && (
        <p role="alert" className="flex flex-wrap items-center gap-3 px-6 pb-4 text-ui">
          Your keepers couldn’t be loaded, so you can’t save yet. Your text stays here.
          <RetryButton onClick={() => refetch()} />
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

interface WrittenMomentProps {
  saved: SavedMoment
  onAnother?: (() => void) | undefined
}

export function WrittenMoment({ saved: { body, keeperId, keeperTitle, state }, onAnother }: WrittenMomentProps) {
  const statusRef = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (state === 'queued') statusRef.current?.focus()
  }, [state])
  return (
    <div className="rounded-[3px_12px_12px_3px] border border-border bg-paper px-6 py-5 shadow-e2 phone:px-4">
      <blockquote className="line-clamp-4 font-serif text-lead whitespace-pre-wrap wrap-anywhere">
        {stripMarkdown(body).text.trim()}
      </blockquote>
      <p ref={statusRef} tabIndex={-1} role="status" className="mt-3 text-ui text-muted-foreground outline-hidden">
        {state === 'sent' ? (
          <>
            Saved in{' '}
            <Link to={getDashboardPath(keeperId)} className={quietLinkClasses}>
              {keeperTitle}
            </Link>
            .
          </>
        ) : (
          'Saved in this browser. It will be sent as soon as the server can be reached.'
        )}
      </p>
      {onAnother && (
        <Button size="small" className="mt-3" onClick={onAnother}>
          Write another
        </Button>
      )}
    </div>
  )
}

export function FirstMomentLink() {
  const { data: allKeepers } = useKeepers()
  const [keeper, another] = allKeepers?.filter((candidate) => !isSampleKeeper(candidate)) ?? []
  if (!keeper || another) return null
  return (
    <p className="mt-3 text-ui text-muted-foreground">
      Your first moment is in{' '}
      <Link to={getDashboardPath(keeper.id)} className={quietLinkClasses}>
        {keeper.title}
      </Link>
      .
    </p>
  )
}
